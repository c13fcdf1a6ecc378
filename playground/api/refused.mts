import { REFUSALS, type Refusal } from './wellKnown.mts';

export class Refused extends Error {
	readonly refusal: Refusal;

	constructor(refusal: Refusal) {
		super(refusal.message);
		this.refusal = refusal;
	}

	static because(statusOrCode: number, message?: string): Refused {
		const known = REFUSALS.find((each) => (each.httpStatus ?? each.code) === statusOrCode);
		if (!known) throw new Error(`${statusOrCode} is not in section 7 of the API document`);
		const { httpStatus, code } = known;
		return new Refused({ httpStatus, code, message: message ?? known.message });
	}
}
