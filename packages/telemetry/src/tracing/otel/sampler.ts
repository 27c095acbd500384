import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerSettings } from '../otel-settings.ts';

export function createSampler({ root, ratio, isParentBased }: SamplerSettings): Sampler {
  const sampler = rootSampler(root, ratio);
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}

function rootSampler(root: SamplerSettings['root'], ratio: number): Sampler {
  switch (root) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
  }
}
