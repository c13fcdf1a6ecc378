import { linkTo } from './dom.js';

const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

/** The parts of a text, in which addresses can be opened as on a phone. */
export function withLinks(text) {
	return String(text)
		.split(ADDRESS)
		.filter((part) => part !== '')
		.map((part) => (ADDRESS.test(part) ? linkTo(part, part) : part));
}
