// Theme for pictures, sorting, the find box and the current section. The page stands without it.
(() => {
  "use strict";
  const theme = new URLSearchParams(location.search).get("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;

  const value = (row, column) => {
    const cell = row.cells[column];
    if (!cell) return "";
    return cell.dataset.v === undefined ? cell.textContent.trim() : Number(cell.dataset.v);
  };
  const compare = (a, b) => {
    const numbers = typeof a === "number" && typeof b === "number";
    if (numbers) return a - b;
    // What has no number stands last in both orders.
    if (typeof a === "number") return -Infinity;
    if (typeof b === "number") return Infinity;
    return a.localeCompare(b, "en", { numeric: true });
  };
  const sort = (table, head, column) => {
    const down = head.getAttribute("aria-sort") !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    for (const body of table.tBodies) {
      const rows = [...body.rows];
      rows.sort((a, b) => {
        const order = compare(value(a, column), value(b, column));
        return Math.abs(order) === Infinity ? (order < 0 ? -1 : 1) : down ? -order : order;
      });
      body.append(...rows);
    }
  };
  for (const table of document.querySelectorAll("table[data-sort]")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.dataset.fixed !== undefined) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head, column));
      head.append(button);
    });
  }

  for (const box of document.querySelectorAll("input[data-find]")) {
    const table = document.getElementById(box.dataset.find);
    if (!table) continue;
    box.addEventListener("input", () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
  }
  document.addEventListener("keydown", (event) => {
    const box = document.querySelector("input[data-find]");
    if (event.key !== "/" || !box || event.target.matches("input") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    box.focus();
  });

  const links = new Map([...document.querySelectorAll(".bar nav a")].map((link) => [link.hash.slice(1), link]));
  const mark = () => {
    let current = null;
    for (const section of document.querySelectorAll("main > section")) {
      if (links.has(section.id) && section.getBoundingClientRect().top <= 90) current = section.id;
    }
    for (const [id, link] of links) {
      if (id === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
})();
