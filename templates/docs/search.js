// A box that filters the table of declarations. This script creates it, so pages without JavaScript
// have no box.
const table = document.querySelector("main table");
const label = document.createElement("label");
label.className = "search";
label.textContent = "Search";
const box = document.createElement("input");
box.type = "search";
label.append(box);
const count = document.createElement("p");
count.setAttribute("role", "status");
table.parentElement.before(label, count);
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  count.textContent = words.length ? `${shown} of ${table.tBodies[0].rows.length}` : "";
});
