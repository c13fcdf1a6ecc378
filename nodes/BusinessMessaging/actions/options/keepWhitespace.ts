import type { INodeProperties } from 'n8n-workflow';

export const keepWhitespaceField = {
	displayName: 'Keep Line Breaks and Tabs',
	name: 'keepWhitespace',
	type: 'boolean',
	default: false,
	description:
		'Whether values keep line breaks, tabs and more than four spaces in a row. Otherwise each becomes one space, because most networks refuse such messages.',
} as const satisfies INodeProperties;
