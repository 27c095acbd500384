import type { GenerationDeps, TextCall } from '../generation/generation-deps.ts';
import { planText } from '../generation/plan-text.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { resolveFiles } from '../generation/references/resolve-files.ts';
import { serveText } from '../generation/serve-text.ts';
import { encodeVendorLine } from '../generation/vendor-lines/encode-vendor-line.ts';
import { recordVendorLine } from '../generation/vendor-lines/record-vendor-line.ts';
import { refuseVendorReferences } from '../generation/references/vendor-references.ts';

/** Serves a text request, or a step of a request in a batch that a vendor runs. @throws GatewayError */
export async function generateText(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  const { vendorLine } = call.apiKey;
  if (vendorLine?.step === 'record') return recordVendorLine(deps, call, vendorLine);
  const planned = planText(deps, call);
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(planned.request);
  const plan = await resolveFiles(deps, call, planned, vendorLine === undefined);
  if (vendorLine) return encodeVendorLine(deps, call, plan, vendorLine);
  await reserveText(deps, call, plan);
  return serveText(deps, call, plan, { isLastUse: true });
}
