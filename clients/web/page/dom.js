/** Describes elements as values, and changes the page to match: `render(parent, h("p", {}, "Hello"))`. */

/**
 * Describes an element.
 *
 * `key` identifies it among its siblings. `on…` members are listeners. `hooks` are called with the
 * element: `mount` once, `update` after each change, `remove` instead of removing it. Other members
 * are properties or attributes, left out if they are false, null, or undefined.
 */
export function h(tag, props, ...children) {
  const { key, hooks, ...rest } = props ?? {};
  return { tag, key, hooks, props: rest, children: flatten(children) };
}

/** Makes the children of `parent` match a description. */
export function render(parent, ...nodes) {
  const children = flatten(nodes);
  reconcile(parent, parent.offstageChildren ?? [], children);
  parent.offstageChildren = children;
  for (const { hooks, element } of changed.splice(0)) hooks.update?.(element);
}

/** The nodes whose hooks are called when the page is complete. */
const changed = [];

function flatten(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (typeof child === "object" ? child : { text: String(child) }));
}

function reconcile(parent, before, after) {
  const keyed = new Map(before.filter((node) => node.key !== undefined).map((node) => [node.key, node]));
  const rest = before.filter((node) => node.key === undefined);
  const kept = new Set();
  for (const node of after) {
    let old = node.key === undefined ? rest.find((each) => !kept.has(each) && each.tag === node.tag) : keyed.get(node.key);
    if (old && old.tag !== node.tag) old = undefined;
    if (old) kept.add(old);
    node.old = old;
  }
  for (const node of before) if (!kept.has(node)) remove(node);
  // An element that is being removed stays where it is until its animation has ended.
  let next = parent.firstChild;
  for (const node of after) {
    while (next?.offstageIsLeaving) next = next.nextSibling;
    if (node.old) update(node);
    else create(node, parent);
    if (node.element === next) next = next.nextSibling;
    else parent.insertBefore(node.element, next);
    node.old = undefined;
  }
}

function create(node, parent) {
  if (node.tag === undefined) {
    node.element = document.createTextNode(node.text);
    return;
  }
  const isDrawing = node.tag === "svg" || parent?.namespaceURI === "http://www.w3.org/2000/svg";
  node.element = isDrawing
    ? document.createElementNS("http://www.w3.org/2000/svg", node.tag)
    : document.createElement(node.tag);
  reconcile(node.element, [], node.children);
  setProps(node.element, {}, node.props);
  if (node.hooks) {
    const { element, hooks } = node;
    changed.push({ element, hooks: { update: (element) => (hooks.mount?.(element), hooks.update?.(element)) } });
  }
}

function update(node) {
  const { old } = node;
  node.element = old.element;
  if (node === old) return;
  if (node.tag === undefined) {
    if (node.text !== old.text) node.element.data = node.text;
    return;
  }
  reconcile(node.element, old.children, node.children);
  setProps(node.element, old.props, node.props);
  if (node.hooks?.update) changed.push(node);
}

function remove(node) {
  const { element, hooks } = node;
  if (!hooks?.remove) return element.remove();
  element.offstageIsLeaving = true;
  hooks.remove(element);
}

function setProps(element, before, after) {
  for (const name of Object.keys(before)) if (!(name in after)) setProp(element, name, before[name], undefined);
  for (const [name, value] of Object.entries(after)) setProp(element, name, before[name], value);
}

function setProp(element, name, before, value) {
  if (name.startsWith("on")) {
    if (before === value) return;
    const type = name.slice(2);
    if (before) element.removeEventListener(type, before);
    if (value) element.addEventListener(type, value);
  } else if (name === "style") {
    for (const property of Object.keys(before ?? {})) if (!(property in (value ?? {}))) element.style.removeProperty(property);
    for (const [property, text] of Object.entries(value ?? {})) element.style.setProperty(property, text);
  } else if (name === "value") {
    // Setting an equal value would move the caret.
    if (element.value !== (value ?? "")) element.value = value ?? "";
  } else if (name === "checked" || name === "inert" || name === "indeterminate") {
    element[name] = Boolean(value);
  } else if (before !== value) {
    if (value === undefined || value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
}
