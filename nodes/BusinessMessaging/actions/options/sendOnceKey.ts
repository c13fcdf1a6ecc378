import type { INodeProperties } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { isTool } from '../../n8n';
import { sourceAt } from '../../parameters';
import { phoneOf } from '../../template/phoneNumber';
import {
	checkComputed,
	checkDigits,
	checkResults,
	checkText,
	emptyExpressions,
	expressionsIn,
	leftoverIn,
	type Source,
} from '../../template/textChecks';
import { isBlank, textOf } from '../../values';
import {
	type SendJob,
	sentBefore,
	skipped,
	type Step,
	withoutFallback,
} from '../sendTemplate/sending';

const sendOnceKeyField = {
	displayName: 'Send Once Key',
	name: 'sendOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-{{ $json.orderNumber }}-shipped',
	description:
		'Idempotency key of this message. This workflow sends a recipient only one message with the same key, whichever of its nodes sends it, even in later executions. As a tool, it sends only one message with the key to anybody. Runs that go to the Test Recipient do not count.',
} as const satisfies INodeProperties;

/** Send Once Key: only one message with the key is sent to its recipient, also by later executions. */
export const onceWithKey: Step = {
	option: {
		field: sendOnceKeyField,
		read: (value, { context, itemIndex, to }) => {
			const source = sourceAt(context, itemIndex, `options.${sendOnceKeyField.name}`);
			const key = readSendOnceKey(value, source);
			const toolKey = isTool(context.getNode()) ? key : undefined;
			return { sendOnceKey: JSON.stringify([key, phoneOf(to)]), toolKey };
		},
	},
	policy: onceWith(({ sendOnceKey }) => sendOnceKey),
};

/** The same for a tool, to whomever it sends. */
export const onceWithToolKey: Step = { policy: onceWith(({ toolKey }) => toolKey) };

function onceWith(keyOf: (job: SendJob) => string | undefined): Step['policy'] {
	return (job) => {
		const key = keyOf(job);
		if (key === undefined) return undefined;
		return {
			send: (next) => async (sending) => {
				const { rejection, run } = sending;
				const send = async () => await next(sending);
				const outcome = await run.sendOnce.withClaim(key, send, run.signal);
				if (outcome !== 'wasSent') return outcome;
				return rejection ? withoutFallback(rejection, KEY_IS_USED) : sentBefore(job);
			},
			show: (next) => async (sending) => {
				const show = async () => await next(sending);
				const outcome = await sending.run.sendOnce.show(key, show);
				return outcome === 'wasSent' ? skipped('sentBefore', { to: job.message.to }) : outcome;
			},
			undo: async ({ run }) => await run.sendOnce.free(key),
		};
	};
}

/** In a retry: the key belongs to the message that was not delivered. Or another execution was faster. */
const KEY_IS_USED =
	'its Send Once Key is used by now. To send it, run its item again with another key.';

/**
 * @throws InputError when the key or a part of it is empty or rounded, or says nothing of its message: it might go out
 * twice, or not at all, because another one had the same key
 */
export function readSendOnceKey(value: unknown, source: Source): string {
	// No person tells two keys apart by invisible characters.
	const key = textOf(value)
		.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
		.trim();
	if (!key) {
		const isEmpty = isBlank(value) || typeof value === 'string';
		throw wrongKey(`Send Once Key is ${isEmpty ? 'empty' : quote(value)}`);
	}
	checkDigits(value, 'Send Once Key');
	checkText(key, 'Send Once Key');
	checkComputed(key, 'Send Once Key', source.entered);
	checkResults(key, 'Send Once Key', source);
	const [missing] = emptyExpressions(key, source).missing;
	if (missing !== undefined) {
		throw wrongKey(`The expression ${missing} in Send Once Key gives nothing: it is ${quote(key)}`);
	}
	// As in "order-null": of all orders without a number only the first would be sent.
	if (leftoverIn(key, source.entered)) {
		throw wrongKey(`Send Once Key is ${quote(key)}`);
	}
	const expressions = expressionsIn(source.entered);
	const changing = expressions.find((each) => DIFFERS.test(each));
	if (changing !== undefined) {
		throw wrongKey(
			`Send Once Key differs each time because of ${changing}, so it protects nothing`,
		);
	}
	const counting = expressions.find((each) => COUNTS.test(each));
	if (counting !== undefined && !expressions.some((each) => READS_MORE.test(each))) {
		throw wrongKey(
			`Send Once Key only counts items (${counting}), so the next list has the same keys`,
		);
	}
	return key;
}

/** Behind a time: makes a day, an hour or a minute of it, which may be meant. */
const ROUNDED = [
	/\.(?:toFormat|format)\((['"`])(?:(?!\1)(?:'[^']*'|[^'sSxX]))*\1/,
	/\.(?:(?:start|beginning|end)Of|to(?:ISO|SQL|Locale)?Date(?:String)?)\(/,
	/\.(?:get(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes)\(|(?:year|quarter|month|week|day|hour|minute))/,
	/\.toISO(?:String)?\(\)\.(?:split\(['"]T['"]\)\[0\]|(?:slice|substring)\(0, ?(?:[1-9]|1[0-6])\))/,
	// As in `Math.floor(Date.now() / 86400000)`.
	/\s*\/\s*\d{5}/,
].map(({ source }) => source);

/** Chance, or the time to the second. */
const DIFFERS = new RegExp(
	String.raw`\b(?:Math\.random|randomItem|randomUUID)\(|(?:\$now|\b(?:DateTime|Date)\.now\(\)|\bnew Date\(\))(?!\w|(?:\.(?:plus|minus|setZone|toUTC)\([^()]*\))*(?:${ROUNDED.join('|')}))`,
);

/** Which item of its run, or which round of its loop. */
const POSITION = String.raw`\$(?:itemIndex|runIndex|position|thisItemIndex|thisRunIndex)\b`;
const COUNTS = new RegExp(POSITION);

/** What reads more than a position: the item, another node, the execution or the time. */
const READS_MORE = new RegExp(String.raw`(?!${POSITION})\$|\bDate(?:Time)?\b`);

function wrongKey(message: string): InputError {
	return new InputError(
		message,
		'Open Options and enter a key that only this message has, such as order-{{ $json.orderNumber }}-shipped, or remove the option.',
	);
}
