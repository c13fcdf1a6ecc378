import { byId, element, openerOf } from './dom.js';

const PARAMETER = 'customer';
const OTHER = 'other';

/** Whose phone it is. In the address, so that a reload keeps it and two pages can be two customers. */
export function setUpNumber(onChoice) {
	const select = byId('number');
	const openDialog = openerOf(byId('number-dialog'));
	const known = new Map();
	let chosen = new URLSearchParams(location.search).get(PARAMETER);

	function choose(number) {
		chosen = number;
		const address = new URL(location.href);
		address.searchParams.set(PARAMETER, number);
		history.replaceState(null, '', address);
		show();
		onChoice();
	}

	function show() {
		const numbers = [...known].map(([number, about]) => {
			return element('option', { value: number }, `${number} ${about}`);
		});
		select.replaceChildren(...numbers, element('option', { value: OTHER }, 'Another number …'));
		select.value = chosen;
	}

	const isKnown = (number) => [...known.keys()].some((each) => isSameNumber(each, number));

	function add(numbers) {
		const before = known.size;
		for (const [number, about] of numbers) if (!isKnown(number)) known.set(number, about);
		chosen ??= known.keys().next().value;
		if (!isKnown(chosen)) known.set(chosen, '');
		if (known.size > before) show();
	}

	select.addEventListener('change', () => {
		if (select.value !== OTHER) return choose(select.value);
		select.value = chosen;
		openDialog();
	});
	byId('number-form').addEventListener('submit', (event) => {
		event.preventDefault();
		const number = byId('other-number').value;
		byId('number-dialog').close();
		add([[number, '']]);
		choose(number);
	});

	return { add, current: () => chosen, isChosen: (number) => isSameNumber(number, chosen) };
}

// The API document leaves open how a sender's number is written.
function isSameNumber(one, other) {
	const digitsOf = (number) => String(number).replace(/\D/g, '') || number;
	return digitsOf(one) === digitsOf(other);
}
