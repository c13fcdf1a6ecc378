import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { isBlank, isRecord } from './values';

/**
 * What workflows may still have, and what it is called now: parameters (`templateName`), options (`options.dryRun`) and
 * values (`category=utility`). Only what is empty by default can be renamed, because n8n fills in the default; nothing
 * that is required, because n8n would not run the workflow; and nothing that keeps messages from being sent, because an
 * older version would not know its new name.
 */
export const RENAMED: Record<string, string> = {};

/** n8n drops names that no field has before a node sees them. So a hidden field keeps each former name. */
export function withFormerNames(
	fields: INodeProperties[],
	renamed = RENAMED,
	path = '',
): INodeProperties[] {
	return fields.flatMap((field): INodeProperties[] => {
		const formers = Object.keys(renamed).filter((each) => renamed[each] === path + field.name);
		const hidden = formers.map((former): INodeProperties => {
			const name = former.slice(path.length);
			// Without a default, because n8n fills it in.
			return { ...field, name, type: 'hidden', default: undefined, options: undefined };
		});
		if (field.type !== 'collection') return [...hidden, field];
		const inside = (field.options ?? []) as INodeProperties[];
		const options = withFormerNames(inside, renamed, `${path}${field.name}.`);
		return [...hidden, { ...field, options }];
	});
}

/** Gives what was renamed its new name, unless that has a value as well, which is the one that the editor shows. */
export function renameParameters(
	{ parameters }: Pick<INode, 'parameters'>,
	renamed = RENAMED,
): void {
	for (const [former, now] of Object.entries(renamed)) {
		const [formerPath, formerValue] = former.split('=');
		const [path, value] = now.split('=');
		const from = placeOf(parameters, formerPath);
		const to = placeOf(parameters, path);
		const given = from?.inside[from.name];
		if (!from || !to || given === undefined) continue;
		if (formerValue !== undefined && given !== formerValue) continue;
		delete from.inside[from.name];
		if (isBlank(to.inside[to.name])) to.inside[to.name] = value ?? given;
	}
}

function placeOf(parameters: IDataObject, path: string) {
	const names = path.split('.');
	const name = String(names.pop());
	const inside = names.reduce<unknown>((at, each) => isRecord(at) && at[each], parameters);
	return isRecord(inside) ? { inside: inside as IDataObject, name } : undefined;
}
