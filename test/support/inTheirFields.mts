import { OPERATIONS } from '../unit/structure/publicInterface.mts';

const { options: FOR_EXPERTS = {} } = OPERATIONS.sendTemplate.expertOptions;

/**
 * Tests write all options of the action under `options`.
 * @returns the parameters with the options for experts in the field that has them
 */
export function inTheirFields<Parameters extends object>(parameters: Parameters): Parameters {
	const { options, expertOptions } = parameters as Record<string, unknown>;
	if (typeof options !== 'object' || options === null || Array.isArray(options)) return parameters;
	const [ofAll, ofExperts] = [false, true].map((isForExperts) =>
		Object.fromEntries(
			Object.entries(options).filter(([name]) => name in FOR_EXPERTS === isForExperts),
		),
	);
	if (Object.keys(ofExperts).length === 0) return parameters;
	return {
		...parameters,
		options: ofAll,
		expertOptions: { ...ofExperts, ...(expertOptions as object | undefined) },
	};
}
