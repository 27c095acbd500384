import { defineVendor, KEY, modelHost } from '../manifest.ts';

export const runway = defineVendor({
  kind: 'runway',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  headers: ['x-runway-version'],
  sandboxPath: '/runway',
  vendors: [modelHost('runway', 'RUNWAYML_API_SECRET', 'https://api.dev.runwayml.com', ['gen3*', 'gen4*'])],
  sources: ['Runway docs, "HTTP Errors" and "Handle task failures"', '@runwayml/sdk 4.20.1'],
});
