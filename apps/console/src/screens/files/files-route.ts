import { createLazyRoute } from '@tanstack/react-router';
import { Files } from './files.tsx';

export const Route = createLazyRoute('/files')({ component: Files });
