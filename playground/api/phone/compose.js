import { byId } from './dom.js';
import { writeMessage } from './requests.js';

/** The box to write in. Enter sends, Shift+Enter begins a new line. */
export function setUpCompose(currentNumber) {
	const form = byId('compose');
	const box = byId('text');

	box.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		form.requestSubmit();
	});

	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		const text = box.value.trim();
		if (text === '') return;
		box.value = '';
		box.focus();
		showProblem('');
		try {
			// Answered only when the workflows have accepted it; the chat shows it before.
			await writeMessage(currentNumber(), text);
		} catch (problem) {
			showProblem(problem.message);
			if (box.value === '') box.value = text;
		}
	});
}

export function showProblem(sentence) {
	byId('problem').textContent = sentence;
}
