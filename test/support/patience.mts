import { RANDOM_TIMES } from './sample.mts';

/** A busy machine is no failure: a test that hangs is found all the same. */
jest.setTimeout(600_000 * RANDOM_TIMES);
