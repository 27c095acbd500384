import { CONTENT_BYTES } from '../media/content-items.ts';
import { megabytes, type ImageLimits } from '../media/limit-params.ts';

const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/** MiniMax docs, "Image to Video", `first_frame_image`: "JPG, JPEG, PNG, WebP", less than 20 MB. */
export const IMAGES_V1: ImageLimits = { mediaTypes: MEDIA_TYPES, maxBytes: megabytes(20) };
/** MiniMax docs, "Video Generation V2". */
export const IMAGES_V2: ImageLimits = { mediaTypes: MEDIA_TYPES, ...CONTENT_BYTES };
