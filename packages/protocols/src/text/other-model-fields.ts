import { isRecord } from '../json/is-record.ts';
import { otherModelError } from './other-model-error.ts';

/** Fields in which vendors and other gateways accept fallback models. */
const MEMBERS = ['models', 'fallbacks', 'fallback_models', 'fallback_model'] as const;

/** Fields checked inside `extra_body`, which gateways merge into the body that they send. */
const EXTRA_MEMBERS = ['model', 'extra_body', ...MEMBERS] as const;

/** @throws GatewayError `unsupported_parameter` if a field other than `model` names a model */
export function refuseOtherModelFields(member: (name: string) => unknown): void {
  for (const name of MEMBERS) if (isPresent(member(name))) throw otherModelError(name);
  const extra = member('extra_body');
  if (!isRecord(extra)) return;
  for (const name of EXTRA_MEMBERS) if (isPresent(extra[name])) throw otherModelError(`extra_body[${name}]`);
  refuseToolModels(extra['tools'], 'extra_body[tools]');
}

/** Rejects models in tools, which can be nested and can run a model. @throws GatewayError `unsupported_parameter` */
export function refuseToolModels(tools: unknown, path: string): void {
  for (const [index, tool] of listOf(tools).entries()) {
    if (!isRecord(tool)) continue;
    for (const [name, value] of Object.entries(tool)) {
      if (name.toLowerCase() === 'model' && isPresent(value)) throw otherModelError(`${path}[${index}][${name}]`);
    }
    refuseToolModels(tool['tools'], `${path}[${index}][tools]`);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
