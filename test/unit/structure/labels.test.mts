import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { captured, textOf } from './markdown.mts';
import { readJson } from './project.mts';

/** Names in capital letters that are no label of ours: n8n's, those of other programs, and of people and places. */
const OTHERS = new Set(
	`Agent, Agents, Always Output Data, Authentication, Batch Interval, Batching, Bearer Auth, Call n8n Sub-Workflow Tool, Chat, Chat Hub, Chat Trigger,
	Continue, Continue On Fail, Creator Portal, Custom API Call, Data Table, DateTime, Deal Stage, Edit Fields, Error,
	Error Trigger, Execute, Execute Once, Execute Sub-workflow, Execute Workflow, Execute Workflow Trigger, Expression, Filter,
	Fixed, Generate New Key, HMAC Secret, HTTP Request, Header Auth, Human, If, Import, Import from File, Install, Invalid Date,
	Loop, Loop Over Items, MCP Server Trigger, Merge, On Error, OpenAI Chat Model, Opt-outs, Predefined Credential Type,
	Production URL, Proxy, Redaction, Retry, Retry On Fail, Schedule Trigger, Send Email, Send and Wait, Settings, Simple Memory,
	Split Out, Stop, Stop Workflow, Sub-Workflow Tool, Switch, System Message, Test URL, Type, Unpin, Update, Wait,
	Wait For Sub-Workflow Completion, Webhook, Webhooks, When Executed by Another Workflow, Asha, Asha Rao, Asia, Auto-reply, Benin, Boolean, Campaign, Canada, Date,
	Debian, Docker, Enterprise, Friday, GitHub, GitHub Actions, Gmail, Google Sheets, Host, HubSpot, Italian, Ivoire,
	JavaScript, Jest, London, Map, MySQL, Node, North America, Portuguese, PostgreSQL, Postgres, Prettier, Rao, Redis,
	Refund Bob, Scale, Security, Slack, Ubuntu, Windows`.split(/,\s+/),
);

const described = [
	new BusinessMessaging().description,
	new BusinessMessagingTrigger().description,
	new BusinessMessagingApi(),
];

/** What the editor shows of a description, a field or a choice. */
function labelsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => {
		if (typeof inner !== 'string') return labelsIn(inner);
		if (key === 'outputs') return captured(inner, /displayName["']?: ?["']([^"']+)/g);
		return ['displayName', 'name', 'placeholder'].includes(key)
			? [inner, ...inner.split(': ')]
			: [];
	});
}
const LABELS = new Set(labelsIn(described).map((label) => label.replace(/ \([^)]*\)$/, '')));

const LINK = '(?:a|and|as|at|after|by|for|from|if|in|is|n8n|of|on|or|per|the|to|under|with)';
const LINK_WORD = new RegExp(`^${LINK}$`, 'i');
const isLink = (word: string) => LINK_WORD.test(word) || /^[A-Z]+(?:'?s)?$/.test(word);

function isName(words: string): boolean {
	return [words, words.replace(/(?:s|'s)$/, '')].some(
		(name) => LABELS.has(name) || OTHERS.has(name),
	);
}

/** Whether names, with words such as "or" between them, make up a phrase. */
function areNames(words: string[]): boolean {
	return (
		words.some((_, index) => {
			const [next, ...others] = words.slice(index + 1);
			const isOne = isName(words.slice(0, index + 1).join(' '));
			return (
				isOne && (next === undefined || (isLink(next) && (others.length === 0 || areNames(others))))
			);
		}) ||
		(isLink(words[0]) && (words.length === 1 || areNames(words.slice(1))))
	);
}

const CAPITAL = "(?<![\\w-])[A-Z][\\w'-]*";
/** Two capitalized words or more, and whether they begin a sentence, a cell or a quotation. */
const PHRASE = new RegExp(
	`(^|[.:!?|•…] |\\n[\\W\\d]*|["“(]|)(${CAPITAL}(?: (?:${LINK} )?${CAPITAL})+)`,
	'g',
);
const BOLD = /\*\*([A-Z][^*]*)\*\*/g;

/** Phrases in capital letters, and names in bold ones, that nothing is called. */
function unknownIn(text: string): string[] {
	const lines = text.replace(/([^\n|])\n[ \t]*(?=\w)/g, '$1 ');
	const phrases = [...lines.replace(/\*/g, '').matchAll(PHRASE)].filter(
		({ index, 1: start, 2: phrase }) => {
			const words = phrase.split(' ');
			const begins = (index === 0 && phrase !== text) || start !== '';
			return !areNames(words) && !(begins && areNames(words.slice(1)));
		},
	);
	const bold = captured(lines, BOLD)
		.flatMap((names) => names.replace(/[.:]$/, '').split(/: | → /))
		.filter((name) => {
			const words = name.split(' ');
			const isPhrase = words.every((word) => /^[A-Z]/.test(word) || isLink(word));
			return isPhrase && !areNames(words);
		});
	return [...phrases.map(([, , phrase]) => phrase), ...bold];
}

const withoutCode = (text: string) =>
	text.replace(/`[^`]*`/g, '…').replace(/\]\([^)\s]*\)|<[^>]*>/g, '');

/** The strings of a program, with "…" where values stand. */
function textsOfProgram(file: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isStringLiteralLike(node)) found.push(node.text);
		if (ts.isTemplateExpression(node)) {
			const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
			found.push(parts.map((part) => part.text).join('…'));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
	return found;
}

interface Example {
	name?: string;
	nodes?: Array<{ name: string; notes?: string; parameters: { content?: string } }>;
}

/** The notes of an example, without what it calls its nodes, tables and neighbors. */
function notesOf(file: string): string[] {
	const { nodes = [] } = readJson<Example>(file);
	const ours = [...EXAMPLES, ...nodes.map(({ name }) => name)].sort((a, b) => b.length - a.length);
	return nodes.flatMap(({ notes = '', parameters: { content = '' } }) => {
		const text = withoutCode(`${notes}\n${content}`.replace(/\n/g, '\n\n')).replace(
			/Data Table \*\*[^*]+\*\*/g,
			'…',
		);
		return ours.reduce((rest, name) => rest.replaceAll(name, '…'), text);
	});
}
const EXAMPLES = globSync('examples/*.json').map((file) => readJson<Example>(file).name ?? '…');
const PROGRAMS = ['nodes/**/*.ts', 'credentials/*.ts', 'scripts/*.mjs', 'playground/demo/*.mts'];
const DOCUMENTS = ['*.md', '{docs,examples,bench,test/video,playground/api}/*.md'];
/** Texts in other languages, and of others. */
const NOT_OURS = /\/languages\/|LICENSE|CODE_OF_CONDUCT/;

it.each<[string, string[], (file: string) => string[]]>([
	['programs', PROGRAMS, textsOfProgram],
	['documents', DOCUMENTS, (file) => [withoutCode(textOf(file))]],
	['examples', ['examples/*.json'], notesOf],
])('%s name fields, options and outputs as the editor does', (_, patterns, read) => {
	const files = globSync(patterns).filter((file) => !NOT_OURS.test(file));
	expect(files).not.toEqual([]);
	const unknown = files.flatMap((file) =>
		read(file).flatMap((text) => unknownIn(text).map((name) => ({ file, name }))),
	);
	expect(unknown).toEqual([]);
});
