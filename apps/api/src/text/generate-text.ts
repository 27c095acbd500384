import type { GenerationDeps, TextCall } from '../generation/generation-deps.ts';
import { planText } from '../generation/plan-text.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { serveText } from '../generation/serve-text.ts';
import { refuseVendorReferences } from '../generation/vendor-references.ts';

export async function generateText(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  const plan = planText(deps, call);
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(plan.request);
  await reserveText(deps, call, plan);
  return serveText(deps, call, plan, { isLastUse: true });
}
