import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * Notes down the names that code reads from parameters, and from the collection `options`.
 * @param values by the path that code asks for
 */
export function recordReading(values: IDataObject) {
	const parameters = new Set<string>();
	const options = new Set<string>();
	const noting = (target: IDataObject, names: Set<string>) =>
		new Proxy(target, {
			get(object, name) {
				names.add(String(name));
				return object[String(name)];
			},
		});
	const all: IDataObject = { ...values, options: noting({}, options) };
	return {
		/** The parameters as an object. */
		values: noting(all, parameters),
		/** What an operation reads them from. */
		context: {
			getNodeParameter(path: string, _itemIndex: number, fallback?: unknown) {
				parameters.add(path.split('.')[0]);
				return all[path] ?? fallback;
			},
			getTimezone: () => 'UTC',
		} as unknown as IExecuteFunctions,
		names: () => ({ parameters: [...parameters], options: [...options] }),
	};
}
