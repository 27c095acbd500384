import type { TextProtocol, UpstreamProtocol } from '../../src/index.ts';
import type { TargetOptions } from '../text-exchange.ts';

/** The protocols of a translated request, and the upstream's model. */
export interface Ends {
  client: TextProtocol;
  upstream: UpstreamProtocol;
  target?: TargetOptions | undefined;
}
