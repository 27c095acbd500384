import { type ModelRun, type RunContext, useRun } from './use-run.ts';

/** Runs of one or two models, which start together. */
export interface ModelRuns<Result> {
  runs: { model: string; run: ModelRun<Result> }[];
  /** Starts one run per model with the fields of the form. */
  start: (fields: FormData) => void;
}

/** @param work runs one model */
export function useModelRuns<Result>(
  models: readonly string[],
  work: (context: RunContext<Result>, model: string, fields: FormData) => Promise<void>,
): ModelRuns<Result> {
  // React needs the same number of hooks in each render.
  const both = [useRun<Result>(), useRun<Result>()];
  const runs = both.flatMap((run, at) => {
    const model = models[at];
    return model === undefined ? [] : [{ model, run }];
  });
  const start = (fields: FormData): void =>
    runs.forEach(({ model, run }) => void run.begin((context) => work(context, model, fields)));
  return { runs, start };
}
