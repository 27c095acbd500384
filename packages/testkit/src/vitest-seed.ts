import fc from 'fast-check';

/**
 * By default, property tests generate the same cases in every run, so that a new failure is caused by a code change.
 * `SLUICE_TEST_SEED` is an integer that selects other cases, or `random` for new cases in every run.
 */
const { SLUICE_TEST_SEED: seed = '1' } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
