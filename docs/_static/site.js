// Tables and formulas that scroll can be reached by the keyboard, each under a name of its own; so can the arrows that
// unfold a part of the navigation.
addEventListener("DOMContentLoaded", () => {
  const name = (boxes, kind) => boxes.forEach((box, i) => {
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", `${kind} ${i + 1}`);
  });
  name([...document.querySelectorAll(".pst-scrollable-table-container")], "Table");
  name([...document.querySelectorAll("div.formula")].filter(box => box.scrollWidth > box.clientWidth), "Formula");
  document.querySelectorAll("nav summary:has(> .toctree-toggle)").forEach(arrow => {
    const page = arrow.closest("li").querySelector("a");
    arrow.setAttribute("aria-label", `Pages below ${page ? page.textContent.trim() : "this one"}`);
  });
});
