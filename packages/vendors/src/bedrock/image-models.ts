import { type Catalog, findModel, type FrameLimits, type ImageModel, megabytes } from '../schema/models.ts';

/** AWS docs, `InvokeModel`: a body has up to 25,000,000 bytes. Base64 leaves three quarters of it for the images. */
export const BEDROCK_IMAGE_FILES = { mediaTypes: ['image/png', 'image/jpeg'], maxTogether: megabytes(17) };

export interface BedrockImage extends ImageModel {
  max: number;
  /** Sizes of images: a list, or any size within limits. */
  sizes?: readonly string[];
  limits?: FrameLimits;
}

const COMMON = {
  max: 5,
  images: { reference: 5, mask: 1 },
  imageFiles: BEDROCK_IMAGE_FILES,
  optionalPrompt: 'image',
  optionalFields: ['negativePrompt', 'seed', 'quality'],
} as const;

const NOVA: BedrockImage = {
  ...COMMON,
  maxPrompt: 1024,
  maxNegativePrompt: 1024,
  limits: {
    area: { min: 320 * 320, max: 2048 * 2048 },
    maxRatio: 4,
    side: { min: 320, max: 4096 },
    step: 16,
    isStepRequired: true,
  },
};

const TITAN_SIZES = [
  '1024x1024',
  '768x768',
  '512x512',
  '768x1152',
  '384x576',
  '1152x768',
  '576x384',
  '768x1280',
  '384x640',
  '1280x768',
  '640x384',
  '896x1152',
  '448x576',
  '1152x896',
  '576x448',
  '768x1408',
  '384x704',
  '1408x768',
  '704x384',
  '640x1408',
  '320x704',
  '1408x640',
  '704x320',
  '1152x640',
  '1173x640',
];

/**
 * By the ids of models, of inference profiles, and of ARNs. Sources: Amazon Nova user guide, "Image generation and
 * editing", and Amazon Bedrock user guide, "Amazon Titan Image Generator G1 models".
 */
export const BEDROCK_IMAGES: Catalog<BedrockImage> = [
  [/amazon\.nova-canvas/, NOVA],
  [/amazon\.titan-image/, { ...COMMON, maxPrompt: 512, maxNegativePrompt: 512, sizes: TITAN_SIZES }],
];

/** The ARN of an application inference profile names no model. */
export function bedrockImage(name: string): BedrockImage {
  return findModel(BEDROCK_IMAGES, name) ?? NOVA;
}
