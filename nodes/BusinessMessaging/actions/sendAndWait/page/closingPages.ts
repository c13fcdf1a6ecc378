import { escaped, pageOf } from './layout';

function closing(title: string, sentence: string): string {
	return pageOf(title, `<p>${sentence}</p>`);
}

/** Repeats what was chosen or written, and the reason if there is one. */
export function answeredPage({ shown, reason }: { shown: string; reason?: string }): string {
	return pageOf(
		'Thank you',
		[
			'<p>Your answer has been sent:</p>',
			`<p class="question" dir="auto"><strong>${escaped(shown)}</strong></p>`,
			...(reason ? [`<p class="question" dir="auto">${escaped(reason)}</p>`] : []),
			'<p class="soft">You can close this page.</p>',
		].join('\n'),
	);
}

export const ALREADY_ANSWERED = closing(
	'Answered already',
	'This question has been answered. Only the first answer counts.',
);

export const EXPIRED = closing(
	'The time is over',
	'This question can no longer be answered. Please contact who sent it to you.',
);

export const WRONG_LINK = closing(
	'No question here',
	'This link is not complete, or belongs to an earlier question. Please open the link of the newest message.',
);

export const NOT_STORED = closing(
	'Your answer was not stored',
	'The question was answered at the same moment, or something went wrong. Please open the link again in a minute.',
);
