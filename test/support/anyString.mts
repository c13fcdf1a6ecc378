import fc from 'fast-check';

const asciiCode = fc.integer({ min: 0, max: 0x7f });
const anyCode = fc
	.integer({ min: 0, max: 0x10ffff })
	.filter((code) => code < 0xd800 || code > 0xdfff);
const unit = fc.oneof(asciiCode, anyCode).map((code) => String.fromCodePoint(code));

/** Fast-check's own unit `binary` takes half a second for each string that is declared. */
export const anyString = fc.string({ unit });
