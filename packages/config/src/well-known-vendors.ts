import { MEDIA_VENDORS } from './media-vendors.ts';
import { SEARCH_VENDORS } from './search-vendors.ts';
import { TEXT_VENDORS } from './text-vendors.ts';
import type { WellKnownVendor } from './well-known-vendor.ts';

/** Vendors that their environment variables switch on when there is no configuration file. */
export const WELL_KNOWN_VENDORS: readonly WellKnownVendor[] = [...TEXT_VENDORS, ...SEARCH_VENDORS, ...MEDIA_VENDORS];
