/** An element; strings among its children stay text, whatever they say. */
export function element(name, attributes = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	made.append(...children);
	return made;
}

/** A link that leaves the page where it is. */
export function linkTo(address, ...children) {
	const attributes = { href: address, target: '_blank', rel: 'noopener noreferrer' };
	return element('a', attributes, ...children);
}

export const byId = (id) => document.getElementById(id);

/** What the template of this id in the page holds. */
export const copyOf = (id) => byId(id).content.firstElementChild.cloneNode(true);

/** Wherever the page says when something was: 14:05:09. */
export function time(at) {
	return new Date(at).toLocaleTimeString('en-GB');
}

/** @returns a function that opens the dialog */
export function openerOf(dialog) {
	dialog.querySelector('[data-closes]').addEventListener('click', () => dialog.close());
	return () => dialog.showModal();
}
