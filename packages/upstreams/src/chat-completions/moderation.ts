import { type Moderation, type ModerationResult, type ModerationParams, fieldsForUpstream } from '@sluice/canonical';
import { z } from 'zod';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { openAiRefusal } from '../direct/openai-refusal.ts';

const WireModeration = z.looseObject({
  results: z
    .array(
      z.looseObject({
        flagged: z.boolean(),
        categories: z.record(z.string(), z.boolean().nullable()),
        category_scores: z.record(z.string(), z.number().nullable()),
        category_applied_input_types: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
      }),
    )
    .min(1),
});

/** `POST /moderations` of OpenAI and compatible servers (openai-node 7.55, `resources/moderations`). */
export const openAiModeration: DirectWire<ModerationParams, Moderation> = {
  request: ({ input, foreign }, { model, report }) => ({
    path: '/moderations',
    json: { ...fieldsForUpstream(foreign, 'openai', report), model, input },
  }),
  read: (body, { input }) => {
    const { data } = WireModeration.safeParse(body);
    return data?.results.length === resultsOf(input) ? { results: data.results.map(resultOf) } : undefined;
  },
  refusal: openAiRefusal,
};

function resultsOf(input: ModerationParams['input']): number {
  return typeof input !== 'string' && typeof input[0] === 'string' ? input.length : 1;
}

type WireResult = z.output<typeof WireModeration>['results'][number];

function resultOf(result: WireResult): ModerationResult {
  const { flagged, categories, category_scores: scores, category_applied_input_types: appliedInputTypes } = result;
  return { flagged, categories, scores, ...(appliedInputTypes && { appliedInputTypes }) };
}
