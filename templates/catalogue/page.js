"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const search = document.getElementById("search");
  const order = document.getElementById("order");
  const count = document.getElementById("count");
  const list = document.getElementById("list");
  const pane = document.getElementById("tool");
  const number = new Intl.NumberFormat("en");
  const largest = Math.max(1, ...data.tools.map((tool) => tool.tokens));

  /** An element; children are text or elements, so text of a document never becomes markup. */
  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  const isolated = (text) => element("bdi", {}, text);
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const own = (object, key) => (isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined);

  const entries = data.tools.map((tool, index) => {
    const wire = tool.tool;
    const names = Object.keys(own(wire.inputSchema, "properties") ?? {});
    const link = row(tool, index);
    return {
      tool,
      link,
      item: element("li", {}, link),
      reads: own(wire.annotations, "readOnlyHint") === true,
      text: [wire.name, tool.operation, wire.title ?? "", wire.description ?? "", ...names]
        .join("\n")
        .toLowerCase(),
    };
  });

  function row(tool, index) {
    const bar = element("i", {});
    bar.style.width = `${(100 * tool.tokens) / largest}%`;
    return element(
      "a",
      { href: `#${index}` },
      element(
        "span",
        { class: "row" },
        element("span", { class: "name" }, isolated(tool.tool.name)),
        element("span", { class: "size" }, `${number.format(tool.tokens)} tokens`),
      ),
      tool.operation ? element("span", { class: "path" }, isolated(tool.operation)) : null,
      element("span", { class: "bar", "aria-hidden": "true" }, bar),
    );
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(
      [...document.querySelectorAll("[name=show]:checked")].map((box) => box.value),
    );
    const found = entries.filter(
      (entry) =>
        shown.has(entry.reads ? "reads" : "writes") &&
        (!shown.has("problems") || entry.tool.problems.length > 0) &&
        words.every((word) => entry.text.includes(word)),
    );
    if (order.value === "size") found.sort((one, other) => other.tool.tokens - one.tool.tokens);
    if (order.value === "name") {
      found.sort((one, other) => one.tool.tool.name.localeCompare(other.tool.tool.name, "en"));
    }
    list.replaceChildren(...found.map((entry) => entry.item));
    const whole = found.length === entries.length;
    const tokens = whole ? data.tokens : found.reduce((sum, entry) => sum + entry.tool.tokens, 0);
    count.textContent =
      `${number.format(found.length)} of ${number.format(entries.length)} tools, ` +
      `about ${number.format(tokens)} tokens`;
  }

  function choose() {
    if (location.hash === "#tool") return;
    const index = Number.parseInt(location.hash.slice(1), 10);
    const entry = entries[index];
    for (const other of list.querySelectorAll("[aria-current]")) {
      other.removeAttribute("aria-current");
    }
    if (entry === undefined) {
      pane.replaceChildren(...overview());
      return;
    }
    entry.link.setAttribute("aria-current", "true");
    entry.link.scrollIntoView({ block: "nearest" });
    pane.replaceChildren(...details(entry.tool));
    pane.scrollTop = 0;
  }

  function overview() {
    const general = data.problems.length
      ? [heading("For all tools"), problems(data.problems)]
      : [];
    return [
      element("h2", {}, "Choose a tool"),
      element(
        "p",
        { class: "text" },
        "The bars show what a tool costs an agent that reads the list of tools, " +
          "in tokens of about four bytes. The / key leads to the search, the arrow keys through the list.",
      ),
      ...general,
    ];
  }

  function details(tool) {
    const wire = tool.tool;
    const parts = [element("h2", { class: "name" }, isolated(wire.name))];
    if (wire.title) parts.push(element("p", { class: "text" }, isolated(wire.title)));
    if (tool.operation) parts.push(element("code", {}, isolated(tool.operation)));
    parts.push(tags(wire, tool.tokens));
    if (wire.description) parts.push(element("p", { class: "text" }, isolated(wire.description)));
    if (tool.problems.length) parts.push(heading("Problems for agents"), problems(tool.problems));
    parts.push(heading("Arguments"), ...schema(wire.inputSchema));
    if (wire.outputSchema) parts.push(heading("Answer"), ...schema(wire.outputSchema));
    return parts;
  }

  const heading = (text) => element("h3", {}, text);

  function tags(wire, tokens) {
    const hints = wire.annotations ?? {};
    const kind = hints.readOnlyHint === true ? "reads" : "writes";
    const shown = [[kind, kind]];
    if (kind === "writes" && hints.destructiveHint !== false) shown.push(["destructive", "destructive"]);
    if (hints.idempotentHint === true) shown.push(["", "idempotent"]);
    shown.push(["", `about ${number.format(tokens)} tokens`]);
    return element(
      "ul",
      { class: "tags" },
      ...shown.map(([kind, text]) => element("li", { class: kind || null }, text)),
    );
  }

  function problems(found) {
    return element(
      "ul",
      { class: "problems" },
      ...found.map((problem) =>
        element(
          "li",
          {},
          isolated([problem.where, problem.meaning].filter(Boolean).join(": ")),
          problem.detail ? isolated(` (${problem.detail})`) : null,
          " ",
          element("code", { class: "note" }, problem.code),
        ),
      ),
    );
  }

  function schema(root) {
    const fields = below(root, root);
    const raw = element("details", {}, element("summary", {}, "JSON Schema"));
    lazily(raw, () => element("pre", { tabindex: "0" }, JSON.stringify(root, null, 2)));
    return [fields ?? element("p", { class: "note" }, type(root) || "none"), raw];
  }

  /** Fill a disclosure when it is first opened: schemas may refer to themselves. */
  function lazily(disclosure, content) {
    disclosure.addEventListener("toggle", () => disclosure.append(content()), { once: true });
  }

  function resolved(inner, root) {
    const seen = new Set();
    let found = inner;
    while (typeof own(found, "$ref") === "string" && found.$ref.startsWith("#") && !seen.has(found)) {
      seen.add(found);
      let target = root;
      for (const part of found.$ref.slice(1).split("/").slice(1)) {
        target = own(target, decode(part).replaceAll("~1", "/").replaceAll("~0", "~"));
      }
      found = target;
    }
    return found;
  }

  function decode(part) {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  }

  /** What lies below a schema as a list of fields, or null where there is nothing. */
  function below(inner, root) {
    const found = resolved(inner, root);
    if (!isObject(found)) return null;
    const required = Array.isArray(found.required) ? found.required : [];
    const rows = Object.entries(own(found, "properties") ?? {}).map(([name, child]) =>
      field(name, child, root, required.includes(name)),
    );
    for (const [key, label] of [["items", "each item"], ["additionalProperties", "any other"]]) {
      if (isObject(own(found, key))) rows.push(field(label, found[key], root, false));
    }
    for (const key of ["anyOf", "oneOf", "allOf"]) {
      const ways = Array.isArray(own(found, key)) ? found[key] : [];
      ways.forEach((way, place) => rows.push(field(`${key} ${place + 1}`, way, root, false)));
    }
    return rows.length ? element("ul", { class: "fields" }, ...rows) : null;
  }

  function field(name, inner, root, required) {
    const found = resolved(inner, root);
    const head = [
      element("span", { class: "name" }, isolated(name)),
      element("span", { class: "type" }, isolated(type(found))),
      required ? element("span", { class: "must" }, "required") : null,
    ];
    const text = own(inner, "description") ?? own(found, "description");
    const about = typeof text === "string" ? element("p", { class: "text" }, isolated(text)) : null;
    const notes = limits(found);
    const facts = notes ? element("p", { class: "note" }, isolated(notes)) : null;
    if (!deeper(found)) return element("li", {}, ...head.filter(Boolean), about, facts);
    const disclosure = element("details", {}, element("summary", {}, ...head.filter(Boolean)));
    lazily(disclosure, () => below(found, root) ?? "");
    return element("li", {}, disclosure, about, facts);
  }

  const deeper = (found) =>
    ["properties", "items", "additionalProperties", "anyOf", "oneOf", "allOf"].some((key) => {
      const value = own(found, key);
      return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
    });

  function type(found) {
    if (!isObject(found)) return found === false ? "nothing" : "anything";
    const kinds = Array.isArray(found.type) ? found.type.join(" or ") : found.type;
    const format = typeof found.format === "string" ? ` (${found.format})` : "";
    return `${typeof kinds === "string" ? kinds : ""}${format}`;
  }

  function limits(found) {
    if (!isObject(found)) return "";
    const shown = ["enum", "const", "default", "pattern", "minimum", "maximum", "exclusiveMinimum",
      "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "multipleOf"];
    return shown
      .filter((key) => Object.hasOwn(found, key))
      .map((key) => {
        const value = found[key];
        const text = Array.isArray(value)
          ? value.map((one) => JSON.stringify(one)).join(", ")
          : JSON.stringify(value);
        return `${key}: ${text.length > 400 ? `${text.slice(0, 400)}...` : text}`;
      })
      .join("; ");
  }

  function step(event) {
    const links = [...list.querySelectorAll("a")];
    const here = links.indexOf(document.activeElement);
    const moves = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      Home: 0,
      End: links.length - 1,
    };
    if (!(event.key in moves) || (here < 0 && event.key !== "ArrowDown")) return;
    event.preventDefault();
    if (moves[event.key] < 0) search.focus();
    else links[Math.min(moves[event.key], links.length - 1)]?.focus();
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target === search;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (list.contains(event.target) || (typing && event.key === "ArrowDown")) {
      step(event);
    }
  });
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  document.querySelector("form").addEventListener("input", filter);
  window.addEventListener("hashchange", choose);
  filter();
  choose();
})();
