import { type Catalog, findModel } from '../schema/models.ts';

type Factors = Readonly<Record<string, number>>;

/** A request in a batch that the vendor runs. */
const BATCH = { batch: 0.5 };
const OPENAI = { ...BATCH, flex: 0.5 };

/**
 * Factors of the token prices for service tiers, by provider and model. OpenAI's priority tier has a different factor for
 * each family of models. Cached tokens of some models differ by up to 2 %. Gemini's flex tier has no common factor, so its
 * tokens are priced as standard.
 *
 * Sources: https://developers.openai.com/api/docs/pricing, https://platform.claude.com/docs/en/about-claude/pricing, and
 * https://ai.google.dev/gemini-api/docs/pricing, read in the price catalog of LiteLLM 1.109.1 on 2026-11-23. Batches cost
 * half at all vendors below, for input and output: https://ai.google.dev/gemini-api/docs/batch-api,
 * https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch, and https://aws.amazon.com/bedrock/pricing.
 */
const FACTORS: Readonly<Record<string, Catalog<Factors>>> = {
  openai: [
    [/^gpt-4\.1-nano/, { ...BATCH, priority: 2 }],
    [/^(?:gpt-4\.1|o3(?!-))/, { ...OPENAI, priority: 1.75 }],
    [/^gpt-4o-mini/, { ...BATCH, priority: 5 / 3 }],
    [/^gpt-4o/, { ...BATCH, priority: 1.7 }],
    [/^o4-mini/, { ...OPENAI, priority: 20 / 11 }],
    [/^gpt-5-mini/, { ...OPENAI, priority: 1.8 }],
    [/^gpt-5\.5(?!-pro)/, { ...OPENAI, priority: 2.5 }],
    [/^gpt-[56]/, { ...OPENAI, priority: 2 }],
    [/./, OPENAI],
  ],
  anthropic: [[/./, BATCH]],
  google: [[/./, { ...BATCH, priority: 1.8 }]],
  azure: [[/./, BATCH]],
  aws: [[/./, BATCH]],
};

/** The factors of a model. Tiers that are not listed have the factor 1. */
export function serviceTiersOf(provider: string, model: string): Factors | undefined {
  return findModel(FACTORS[provider] ?? [], model);
}
