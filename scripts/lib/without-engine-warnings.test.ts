import { describe, expect, it } from 'vitest';
import { withoutEngineWarnings } from './without-engine-warnings.mjs';

describe('withoutEngineWarnings', () => {
  it('removes warnings about the Node that runs npm', () => {
    const output = 'npm warn EBADENGINE Unsupported engine {\nnpm error code E404\nnpm warn EBADENGINE }\n';
    expect(withoutEngineWarnings(output)).toBe('npm error code E404');
  });
});
