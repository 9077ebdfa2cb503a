// Tables that scroll can be reached by the keyboard, each under a name of its own.
addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".pst-scrollable-table-container").forEach((box, i) => {
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", `Table ${i + 1}`);
  });
});
