import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { enteredAt, readGroup } from '../../parameters';
import { checkComputed, checkText } from '../../template/textChecks';
import { linesOf, textOf } from '../../values';
import ar from './languages/ar.json';
import bn from './languages/bn.json';
import de from './languages/de.json';
import es from './languages/es.json';
import fr from './languages/fr.json';
import hi from './languages/hi.json';
import id from './languages/id.json';
import pt from './languages/pt.json';
import ta from './languages/ta.json';
import ur from './languages/ur.json';

/**
 * The texts of the page, by their names in stored workflows: the name of the field, and the text in English. Of
 * `thanks` and the ends, the first line is the heading.
 */
const TEXTS = {
	heading: ['Heading', 'A question for you'],
	codeLabel: ['Label of the Code', 'Code in the message'],
	answerLabel: ['Label of the Answer', 'Your answer'],
	send: ['Send Button', 'Send'],
	reasonLabel: ['Label of the Reason', 'Reason for “[button]” (optional)'],
	missing: ['Answer Is Missing', 'Please answer before you send.'],
	wrongCode: [
		'Code Is Wrong',
		'That is not the code of this message. Enter the code of the message that this link came with.',
	],
	thanks: ['Thanks', 'Thank you\nYour answer has been sent:'],
	close: ['End of the Thanks', 'You can close this page.'],
	answered: [
		'Answered Already',
		'Answered already\nThis question has been answered. Only the first answer counts.',
	],
	expired: [
		'Time Is Over',
		'The time is over\nThis question can no longer be answered. Please contact the person who sent it to you.',
	],
	wrongLink: [
		'Link Is Wrong',
		'No question here\nThis link is not complete, or belongs to an earlier question. Please open the link of the newest message.',
	],
	notStored: [
		'Answer Not Stored',
		'Your answer was not stored\nThe question was answered at the same moment, or something went wrong. Please open the link again in a minute.',
	],
	toolValues: ['Review: Values', 'Values for the tool [tool]: [count]'],
	more: ['Review: Long Value', '[count] more characters'],
	willSend: ['Review: What Is Sent', 'What will be sent'],
	customerReads: ['Review: Message', 'What the customer will read'],
	computedLater: [
		'Review: Part of the Message',
		'What stands in double braces is computed when the tool runs.',
	],
} as const;

type TextName = keyof typeof TEXTS;
type Texts = Record<TextName, string>;
const TEXT_NAMES = Object.keys(TEXTS) as TextName[];

/** `lang`: as BCP 47 has it. */
export type PageTexts = Texts & { lang: string };

const ENGLISH = Object.fromEntries(TEXT_NAMES.map((name) => [name, TEXTS[name][1]])) as Texts;

const LANGUAGES: Record<string, Texts> = { ar, bn, de, en: ENGLISH, es, fr, hi, id, pt, ta, ur };

/** @param own those that a question was stored with */
export function pageTexts({ lang = 'en', ...own }: Partial<PageTexts> = {}): PageTexts {
	return { ...(LANGUAGES[new Intl.Locale(lang).language] ?? ENGLISH), ...own, lang };
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

const langField = {
	displayName: 'Language',
	name: 'lang',
	type: 'options',
	options: Object.keys(LANGUAGES)
		.map((value) => ({ name: languageNames.of(value) ?? value, value }))
		.sort((a, b) => a.name.localeCompare(b.name, 'en')),
	default: 'en',
	description:
		'The language of the page, apart from the question and its answers. For another one, replace all texts, and let an expression give its code, such as {{ "nl" }}: it decides whether the page is written from right to left.',
} as const satisfies INodeProperties;

export const pageTextsField = {
	displayName: 'Page Language and Texts',
	name: 'pageTexts',
	type: 'fixedCollection',
	placeholder: 'Choose Language',
	default: { texts: { lang: langField.default } },
	description:
		'The language of the page that the link opens, and your own texts in place of ours. [button], [tool] and [count] are filled in. Where a text has several lines, the first is the heading.',
	options: [
		{
			displayName: 'Texts',
			name: 'texts',
			values: [
				langField,
				...TEXT_NAMES.map((name): INodeProperties => {
					const [displayName, placeholder] = TEXTS[name];
					const typeOptions = { rows: placeholder.includes('\n') ? 3 : 1 };
					const field = { displayName, name, type: 'string' as const, typeOptions };
					const displayOptions = { show: { '@tool': [true] } };
					const isOfReview = displayName.startsWith('Review: ');
					return { ...field, default: '', placeholder, ...(isOfReview ? { displayOptions } : {}) };
				}),
			],
		},
	],
} as const satisfies INodeProperties;

/** @returns what is not English, and the user's own texts. @throws InputError */
export function readPageTexts(context: IExecuteFunctions): { texts?: Partial<PageTexts> } {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const { name } = pageTextsField;
	const given = name in options ? readGroup(options[name], pageTextsField) : {};
	const texts: Partial<PageTexts> = {};
	const lang = readLang(given.lang);
	if (lang !== langField.default) texts.lang = lang;
	for (const name of TEXT_NAMES) {
		const text = linesOf(textOf(given[name])).join('\n');
		if (!text) continue;
		const field = `${TEXTS[name][0]} under ${pageTextsField.displayName}`;
		const entered = enteredAt(context, 0, `options.${pageTextsField.name}.texts.${name}`);
		checkText(text, field, entered);
		checkComputed(text, field, entered);
		texts[name] = text;
	}
	return Object.keys(texts).length > 0 ? { texts } : {};
}

function readLang(value: unknown): string {
	const given = textOf(value).replaceAll('_', '-') || langField.default;
	try {
		const [lang] = Intl.getCanonicalLocales(given);
		if (languageNames.of(lang) !== undefined) return lang;
	} catch {
		// Not even in the form of a code.
	}
	throw new InputError(
		`${langField.displayName} under ${pageTextsField.displayName} is ${quote(value)}`,
		'Choose a language, or let the expression give the code of one, such as nl or pt-BR.',
	);
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT_SCRIPT = /Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa/;

/** How a language is written. */
export function directionOf(lang: string): 'ltr' | 'rtl' {
	const { script } = new Intl.Locale(lang).maximize();
	return RIGHT_TO_LEFT_SCRIPT.test(String(script)) ? 'rtl' : 'ltr';
}
