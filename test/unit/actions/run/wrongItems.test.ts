import { wrongItems } from '../../../../nodes/BusinessMessaging/actions/run/wrongItems';
import type { WrongItem } from '../../../../nodes/BusinessMessaging/actions/run/wrongItems';
import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';
import { failureFromInput } from '../../../../nodes/BusinessMessaging/errors/nodeError';

function wrong(itemIndex: number, message: string, remedy: string): WrongItem {
	return { itemIndex, failure: failureFromInput(new InputError(message, remedy), 'send') };
}

const EMPTY = wrong(2, 'The recipient is empty', 'Enter a number.');

it('a single wrong item is told as it is', () => {
	expect(wrongItems([EMPTY], 10)).toEqual(EMPTY.failure);
});

it('each wrong item is told with what to do', () => {
	const late = wrong(7, 'The date is in the future', 'Check the time zone');
	expect(wrongItems([EMPTY, late], 10)).toEqual({
		...EMPTY.failure,
		message: '2 of 10 items are wrong, the first is item 2: The recipient is empty',
		remedy:
			'Item 2: The recipient is empty. Enter a number. Item 7: The date is in the future. Check the time zone.',
	});
});

it('after five items the others are told by their number, and what to do once', () => {
	const all = [3, 4, 5, 6, 8, 9, 11].map((item) => wrong(item, 'Empty', 'Enter a number.'));
	expect(wrongItems([EMPTY, ...all], 12).remedy).toBe(
		'Item 2: The recipient is empty. Enter a number. Item 3: Empty. Item 4: Empty. Item 5: Empty. Item 6: Empty. And 3 more: items 8-9, 11.',
	);
});
