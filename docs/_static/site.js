// Tables and formulas that scroll can be reached by the keyboard, each under a name of its own.
addEventListener("DOMContentLoaded", () => {
  const name = (boxes, kind) => boxes.forEach((box, i) => {
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", `${kind} ${i + 1}`);
  });
  name([...document.querySelectorAll(".pst-scrollable-table-container")], "Table");
  name([...document.querySelectorAll("div.formula")].filter(box => box.scrollWidth > box.clientWidth), "Formula");
});
