import type { FastifyInstance } from 'fastify';
import { plainRequest } from '../../text/text-request.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { formatOpenAiFault } from '../openai-style/format-openai-fault.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { moderateInput } from './moderate-input.ts';
import { readModerationsRequest } from './moderations-request.ts';

const NAME = 'moderations';

export function registerModerations(scope: FastifyInstance, vendor: TextVendor): void {
  registerOpenAiWire(scope, vendor, NAME);

  scope.post('/moderations', (request, reply) => {
    const { model, inputs } = readModerationsRequest(request.body);
    const text = inputs[0]?.texts[0] ?? '';
    const fault = (kind: TextFault) => formatOpenAiFault(kind, plainRequest(model, text), 'input');
    const body = () => ({ id: `modr-${vendor.newId()}`, model, results: inputs.map(moderateInput) });
    return serveBuffered(vendor, { wire: NAME, text, fault, body }, reply);
  });
}
