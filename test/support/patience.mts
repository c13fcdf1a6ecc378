/** A busy machine is no failure: a test that hangs is found all the same. */
jest.setTimeout(60_000);
