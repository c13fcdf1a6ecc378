/** Of a test: with more events, rows or rounds than usual it may take long. */
export const LONGEST_PROOF_MS = 3_600_000;

jest.setTimeout(LONGEST_PROOF_MS);
