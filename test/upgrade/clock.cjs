// Loaded into n8n before all else: its clock goes as it did when the fixture was made.
const Now = Date;
const behindMs = Number(process.env.UPGRADE_CLOCK_BEHIND_MS ?? 0);

globalThis.Date = class Date extends Now {
	constructor(...given) {
		if (given.length > 0) super(...given);
		else super(Now.now() - behindMs);
	}

	static now() {
		return Now.now() - behindMs;
	}
};
