import { showProblem } from './compose.js';
import { byId, element, openerOf } from './dom.js';
import { changeForm, submitForm } from './requests.js';

/** The form flow: filled in anew, or changed after it was submitted. */
export function setUpForm(currentNumber) {
	const dialog = byId('form-dialog');
	const open = openerOf(dialog);
	let submit;

	function ask(title, formData, onSubmit) {
		byId('form-title').textContent = title;
		byId('form-fields').replaceChildren(...Object.entries(formData).flatMap(field));
		showMissing([]);
		submit = onSubmit;
		open();
	}

	byId('fill-in').addEventListener('click', () => {
		const customer = currentNumber();
		const phone = customer.startsWith('+') ? customer : '';
		ask('Form', { name: '', phone, interest: '' }, (data) => submitForm(customer, data));
	});

	byId('form').addEventListener('submit', async (event) => {
		event.preventDefault();
		const empty = [...event.target.elements].filter(({ name, value }) => name && !value.trim());
		showMissing(empty);
		if (empty.length > 0) return empty[0].focus();
		const formData = Object.fromEntries(new FormData(event.target));
		dialog.close();
		showProblem('');
		try {
			await submit(formData);
		} catch (problem) {
			showProblem(problem.message);
		}
	});

	return {
		change({ id, formData }) {
			ask('Change the Form', formData, (data) => changeForm(id, { ...formData, ...data }));
		},
	};
}

/** In our own words: the browser's differ, and are gone after a moment. */
function showMissing(inputs) {
	const labels = inputs.map(({ labels: [label] }) => label.textContent);
	const list = new Intl.ListFormat('en').format(labels);
	byId('form-problem').textContent = list && `Fill in ${list}.`;
}

function field([name, value]) {
	const id = `form-${name}`;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const input = element('input', { id, name, value: text, autocomplete: 'off', required: '' });
	return [element('label', { for: id }, name.charAt(0).toUpperCase() + name.slice(1)), input];
}
