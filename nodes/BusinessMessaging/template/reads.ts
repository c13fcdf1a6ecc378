// What an expression reads, as far as its text tells.

/** The globals that are the same for all items, and functions that read only what they are given. */
const SAME_FOR_ALL =
	'(?:vars|env|secrets|execution|workflow|now|today|if|ifEmpty|min|max|average|not|jmespath)\\b';

/** What belongs to the item, of another node. */
const LINKED = '(?:item|pairedItem|itemMatching)\\b';
/** Behind `.json` it is a column that is called so. */
const NO_COLUMN = String.raw`(?<!\bjson[\w.?[\]'"]*)`;
const READS_ITEM = new RegExp(
	String.raw`\$(?!${SAME_FOR_ALL})[A-Za-z_]|${NO_COLUMN}(?:\.|\[\s*['"\`])\s*${LINKED}`,
);

/** Whether an expression may give each item something else. All items that it gets count, because a model can fill them. */
export function readsItem(expression: string): boolean {
	return READS_ITEM.test(expression);
}

const OF_MODEL = /\$(?:json|data|binary|input|items?|thisItem|fromAI|tool|evaluateExpression)\b/i;

/** How an expression reads what an agent's model says: n8n puts it into the item. */
export function readOfModel(expression: string): string | undefined {
	return OF_MODEL.exec(expression)?.[0];
}

const FIELDS =
	/\$(?:json|data|item|(?:thisItem|input\.(?:item|(?:first|last)\(\)))\??\.json)\b(\??\.([\p{L}\p{N}_$]+)|(?:\?\.)?\[(['"`])([^'"`\\$]+)\3\])?|\$(?:input|thisItem)\b|\$items\(\s*\)/gu;

/** How a text reads the item's fields. `path`: behind the item. `field`: its name, or undefined if it may be any. */
export function fieldsRead(text: string): Array<{ read: string; path: string; field?: string }> {
	return [...text.matchAll(FIELDS)].map(([read, path = '', key, , quoted]) => ({
		read,
		path,
		field: key ?? quoted,
	}));
}
