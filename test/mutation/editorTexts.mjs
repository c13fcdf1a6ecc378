const TEXTS = [
	'action',
	'description',
	'displayName',
	'documentationUrl',
	'hint',
	'placeholder',
	'relationHint',
	'subtitle',
];

/** A text of a description, which the editor shows and nothing decides by. */
function isEditorText({ node, parent }) {
	if (node.type !== 'ObjectProperty' && node.type !== 'ClassProperty') return false;
	if (!['StringLiteral', 'TemplateLiteral'].includes(node.value?.type)) return false;
	const key = node.key.name;
	// The names of fields are stored in workflows; those of options stand beside what is stored.
	const isOption =
		key === 'name' && parent.properties?.some((other) => other.key?.name === 'value');
	return TEXTS.includes(key) || isOption;
}

/** A Stryker ignorer. */
export const strykerPlugins = [
	{
		kind: 'Ignore',
		name: 'editor-texts',
		value: {
			shouldIgnore: (path) =>
				isEditorText(path) ? 'Checked by the lint rules and read in the editor walk' : undefined,
		},
	},
];
