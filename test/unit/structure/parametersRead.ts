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
			has(object, name) {
				names.add(String(name));
				return name in object;
			},
		});
	const all: IDataObject = { ...values, options: noting({}, options) };
	return {
		/** The parameters as an object. */
		values: noting(all, parameters),
		/** What an operation reads them from. */
		context: {
			getNodeParameter(path: string, _itemIndex: number, fallback?: unknown) {
				const [parameter, option] = path.split('.');
				parameters.add(parameter);
				if (parameter === 'options' && option) options.add(option);
				return all[path] ?? fallback;
			},
			getTimezone: () => 'UTC',
			getMode: () => 'manual',
			getContext: () => ({}),
			getNode: () => ({ type: 'businessMessaging' }),
			getSignedResumeUrl: () => 'https://n8n.example.com/webhook-waiting/1/2',
		} as unknown as IExecuteFunctions,
		names: () => ({ parameters: [...parameters], options: [...options] }),
	};
}
