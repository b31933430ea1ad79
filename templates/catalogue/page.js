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

  const plural = (count, noun) => `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`;
  const isolated = (text) => element("bdi", {}, text);
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const own = (object, key) => (isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined);

  const entries = data.tools.map((tool) => {
    const wire = tool.tool;
    const names = Object.keys(own(wire.inputSchema, "properties") ?? {});
    const link = row(tool);
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

  const chosen = { area: null, code: null };
  const areas = new Map();
  for (const entry of entries) {
    if (!areas.has(entry.tool.area)) areas.set(entry.tool.area, []);
    areas.get(entry.tool.area).push(entry);
  }
  const sum = (found) => found.reduce((total, entry) => total + entry.tool.tokens, 0);

  function effect(wire) {
    const hints = wire.annotations ?? {};
    if (hints.readOnlyHint === true) return "reads";
    return hints.destructiveHint === false ? "writes" : "destructive";
  }

  /** Where a tool is on this page; no view's address begins so. */
  function address(tool) {
    return `#${encodeURIComponent(tool.tool.name)}`;
  }

  function row(tool) {
    const bar = element("i", {});
    bar.style.width = `${(100 * tool.tokens) / largest}%`;
    return element(
      "a",
      { href: address(tool) },
      element(
        "span",
        { class: "row" },
        element("span", { class: "name" }, isolated(tool.tool.name)),
        element("span", { class: "size" }, `${number.format(tool.tokens)} tokens`),
      ),
      element(
        "span",
        { class: "path" },
        element("span", { class: `effect ${effect(tool.tool)}` }, effect(tool.tool)),
        tool.operation ? isolated(tool.operation) : null,
        tool.problems.length
          ? element("span", { class: "mark" }, plural(tool.problems.length, "problem"))
          : null,
      ),
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
        (chosen.area === null || entry.tool.area === chosen.area) &&
        (chosen.code === null || entry.tool.problems.some((each) => each.code === chosen.code)) &&
        words.every((word) => entry.text.includes(word)),
    );
    if (order.value === "size") found.sort((one, other) => other.tool.tokens - one.tool.tokens);
    if (order.value === "name") {
      found.sort((one, other) => one.tool.tool.name.localeCompare(other.tool.tool.name, "en"));
    }
    list.replaceChildren(...(order.value === "listed" ? grouped(found) : found.map((entry) => entry.item)));
    document.getElementById("chosen").replaceChildren(
      ...Object.entries(chosen)
        .filter(([, value]) => value !== null)
        .map(([key, value]) => {
          const away = element("button", { type: "button", class: "chip" }, isolated(value), " \u00d7");
          away.setAttribute("aria-label", `All again, not only ${value}`);
          away.addEventListener("click", () => {
            only({ [key]: null });
            search.focus();
          });
          return away;
        }),
    );
    const whole = found.length === entries.length;
    const tokens = whole ? data.tokens : found.reduce((sum, entry) => sum + entry.tool.tokens, 0);
    count.textContent =
      `${number.format(found.length)} of ${number.format(entries.length)} tools, ` +
      `about ${number.format(tokens)} tokens`;
  }

  /** The items with a heading for each area, where there are several. */
  function grouped(found) {
    if (areas.size < 2) return found.map((entry) => entry.item);
    const shown = new Set(found);
    return [...areas].flatMap(([area, all]) => {
      const inside = all.filter((entry) => shown.has(entry));
      if (!inside.length) return [];
      const about = `${plural(inside.length, "tool")}, ${number.format(sum(inside))} tokens`;
      const head = element("li", { class: "area" }, isolated(area || "other"), element("span", {}, about));
      return [head, ...inside.map((entry) => entry.item)];
    });
  }

  function only(change) {
    Object.assign(chosen, change);
    filter();
    list.scrollTop = 0;
  }

  function choose() {
    const entry = entries.find((each) => address(each.tool) === location.hash);
    document.body.dataset.view = location.hash === "#/list" ? "list" : entry ? "tool" : "overview";
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

  /** Bars: each a name, a number, and what happens at a click. */
  function chart(title, rows, act) {
    const most = Math.max(1, ...rows.map((each) => each.size));
    return element(
      "section",
      { class: "card" },
      heading(title),
      element(
        "ul",
        { class: "chart" },
        ...rows.map((each) => {
          const bar = element("i", { class: each.kind ?? null });
          bar.style.width = `${(100 * each.size) / most}%`;
          const parts = [
            element("span", { class: "row" },
              element("span", {}, isolated(each.name)),
              element("span", { class: "size" }, each.text ?? number.format(each.size))),
            element("span", { class: "bar", "aria-hidden": "true" }, bar),
            each.about ? element("span", { class: "note" }, ...inline(each.about)) : null,
          ];
          if (!act) return element("li", {}, ...parts.filter(Boolean));
          const button = element("button", { type: "button" }, ...parts.filter(Boolean));
          button.addEventListener("click", () => act(each));
          return element("li", {}, button);
        }),
      ),
    );
  }

  function show(change) {
    only({ area: null, code: null, ...change });
    location.hash = "#/list";
    list.querySelector("a")?.focus();
  }

  function overview() {
    const size = (kind) => entries.filter((entry) => effect(entry.tool.tool) === kind);
    const parts = ["descriptions", "arguments", "answers"].map((name, place) => ({
      name,
      size: entries.reduce((total, entry) => total + entry.tool.parts[place], 0),
    }));
    const rest = sum(entries) - parts.reduce((total, part) => total + part.size, 0);
    parts.push({ name: "names and hints", size: Math.max(0, rest) });
    for (const part of parts) {
      part.text = `${number.format(part.size)} (${Math.round((100 * part.size) / Math.max(1, sum(entries)))}%)`;
    }
    const byArea = [...areas]
      .map(([area, found]) => ({ name: area || "other", area, size: sum(found), text: `${plural(found.length, "tool")}, ${number.format(sum(found))}` }))
      .sort((one, other) => other.size - one.size);
    const kinds = Object.entries(data.kinds).map(([code, kind]) => {
      const found = entries.filter((entry) => entry.tool.problems.some((each) => each.code === code));
      const count = [...data.problems, ...entries.flatMap((entry) => entry.tool.problems)].filter((each) => each.code === code).length;
      return { name: code, code: found.length ? code : null, size: count, kind: `severity${data.severities.indexOf(kind.severity)}`,
        about: `${kind.severity}: ${kind.meaning}. What helps: ${kind.remedy}`, order: data.severities.indexOf(kind.severity) };
    });
    kinds.sort((one, other) => one.order - other.order || other.size - one.size);
    const largestTools = entries
      .map((entry) => ({ name: entry.tool.tool.name, size: entry.tool.tokens, entry }))
      .sort((one, other) => other.size - one.size)
      .slice(0, 10);
    const effects = ["reads", "writes", "destructive"]
      .map((kind) => ({ name: kind, size: size(kind).length, kind }))
      .filter((each) => each.size);
    return [
      element("p", { class: "way" }, element("a", { href: "#/list" }, "List of tools")),
      element("h2", {}, "Overview"),
      element("div", { class: "cards" },
        byArea.length > 1 ? chart("Tokens by area", byArea.slice(0, 8), (each) => show({ area: each.area })) : "",
        chart("Tokens by part", parts),
        chart("Largest tools, in tokens", largestTools, (each) => { location.hash = address(each.entry.tool); }),
        kinds.length ? chart("Problems for agents, by kind", kinds, (each) => show({ code: each.code })) : "",
        chart("What tools do", effects)),
      element("p", { class: "note" },
        "Tokens are a quarter of the bytes of JSON. The / key leads to the search, the arrow keys through the list."),
    ];
  }

  function details(tool) {
    const wire = tool.tool;
    const parts = [
      element("p", { class: "way" }, element("a", { href: "#/list" }, "Back to the list")),
      element("h2", { class: "name" }, isolated(wire.name)),
    ];
    if (wire.title) parts.push(element("p", { class: "text" }, isolated(wire.title)));
    if (tool.operation) parts.push(element("code", {}, isolated(tool.operation)));
    parts.push(tags(wire, tool.tokens));
    if (wire.description) parts.push(...markdown(wire.description));
    if (tool.problems.length) parts.push(heading("Problems for agents"), problems(tool.problems));
    parts.push(heading("Arguments"), ...schema(wire.inputSchema));
    if (wire.outputSchema) parts.push(heading("Answer"), ...schema(wire.outputSchema));
    parts.push(heading("Example call"), ...example(wire));
    if (tool.place) parts.push(heading("Where it is"), element("code", {}, isolated(tool.place)));
    return parts;
  }

  function example(wire) {
    const root = wire.inputSchema;
    const required = Array.isArray(root.required) ? root.required : [];
    const given = required.map((name) => [name, sample(own(own(root, "properties"), name), root, 0)]);
    const text = JSON.stringify({ name: wire.name, arguments: Object.fromEntries(given) }, null, 2);
    const copy = element("button", { type: "button", class: "copy" }, "Copy");
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(block);
      }
    });
    const block = element("pre", { tabindex: "0" }, text);
    return [copy, block];
  }

  function sample(inner, root, depth) {
    const found = resolved(inner, root);
    if (!isObject(found)) return "...";
    for (const key of ["const", "default", "example"]) if (Object.hasOwn(found, key)) return found[key];
    for (const key of ["examples", "enum"]) if (Array.isArray(found[key]) && found[key].length) return found[key][0];
    for (const key of ["anyOf", "oneOf", "allOf"]) {
      if (Array.isArray(found[key]) && found[key].length && depth < 4) return sample(found[key][0], root, depth + 1);
    }
    const kind = Array.isArray(found.type) ? found.type[0] : found.type;
    if (kind === "object" || own(found, "properties")) {
      const required = depth < 4 && Array.isArray(found.required) ? found.required : [];
      return Object.fromEntries(required.map((name) => [name, sample(own(found.properties, name), root, depth + 1)]));
    }
    if (kind === "array") return depth < 4 && found.minItems ? [sample(found.items, root, depth + 1)] : [];
    if (kind === "integer" || kind === "number") return found.minimum ?? 1;
    return { boolean: true, null: null }[kind] ?? "...";
  }

  /** Markdown as elements: paragraphs, lists, headings, code; all else, HTML too, stays text. */
  function markdown(text) {
    const made = [];
    text.split(/^```.*$/m).forEach((part, place) => {
      if (place % 2) {
        made.push(element("pre", { tabindex: "0" }, part.replace(/^\n|\n$/g, "")));
        return;
      }
      for (const block of part.split(/\n\s*\n/)) {
        if (!block.trim()) continue;
        const lines = block.trim().split("\n");
        const title = /^#{1,6}\s+(.*)$/.exec(lines[0]);
        if (title) made.push(element("p", { class: "title" }, ...inline(title[1])));
        const rest = title ? lines.slice(1) : lines;
        if (rest.length && rest.every((line) => /^\s*[-*+]\s/.test(line))) {
          made.push(element("ul", {}, ...rest.map((line) => element("li", {}, ...inline(line.replace(/^\s*[-*+]\s+/, ""))))));
        } else if (rest.length && rest.every((line) => line.startsWith(">"))) {
          const quoted = rest.map((line) => line.replace(/^>\s?/, "")).join("\n");
          made.push(element("blockquote", { class: "text" }, ...inline(quoted)));
        } else if (rest.length) {
          made.push(element("p", { class: "text" }, ...inline(rest.join("\n"))));
        }
      }
    });
    return made;
  }

  function inline(text) {
    return text.split(/(`[^`\n]+`|\*\*[^*\s][^*\n]*\*\*|\[[^\[\]\n]+\]\(https?:\/\/[^()\s]+\))/).map((part, place) => {
      if (place % 2 === 0) return isolated(part);
      if (part[0] === "`") return element("code", {}, part.slice(1, -1));
      if (part[0] === "*") return element("strong", {}, part.slice(2, -2));
      const [, label, address] = /^\[(.*)\]\((.*)\)$/.exec(part);
      return element("a", { href: address, rel: "noopener noreferrer" }, label);
    });
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
      ...[...new Set(found.map((problem) => problem.code))].map((code) => {
        const kind = data.kinds[code];
        const places = found.filter((problem) => problem.code === code && (problem.where || problem.detail));
        return element(
          "li",
          {},
          ...inline(kind.meaning),
          " ",
          element("code", { class: "note" }, code),
          element("div", { class: "note" }, "What helps: ", ...inline(kind.remedy)),
          places.length
            ? element("ul", {}, ...places.map((each) => element("li", {},
                each.where ? element("code", {}, each.where) : null,
                each.detail ? isolated(` (${each.detail})`) : null)))
            : null,
        );
      }),
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

  /** `anyOf` of one schema and null, as the schema with null among its types. */
  function nullable(found, root) {
    const ways = own(found, "anyOf") ?? own(found, "oneOf");
    if (!Array.isArray(ways) || ways.length !== 2 || own(found, "type")) return found;
    const isNull = (way) => own(way, "type") === "null";
    const way = resolved(ways.find((each) => !isNull(each)), root);
    if (!ways.some(isNull) || typeof own(way, "type") !== "string") return found;
    const { anyOf, oneOf, ...rest } = found;
    return { ...way, ...rest, type: [way.type, "null"] };
  }

  function field(name, inner, root, required) {
    const found = nullable(resolved(inner, root), root);
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
    const several = Array.isArray(found.type) ? found.type : [found.type];
    const nullable = several.includes("null") && several.length > 1;
    const kinds = nullable
      ? `${several.filter((each) => each !== "null").join(" or ")}, or null`
      : several.join(" or ");
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
    } else if (event.key === "Escape" && pane.contains(event.target)) {
      (list.querySelector("[aria-current]") ?? search).focus();
    } else if (list.contains(event.target) || (typing && event.key === "ArrowDown")) {
      step(event);
    }
  });
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  document.querySelector("form").addEventListener("input", filter);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();  // its address may be that of a tool
    pane.focus();
  });
  window.addEventListener("hashchange", choose);
  filter();
  choose();
})();
