import { createLazyRoute } from '@tanstack/react-router';
import { ConfigurationScreen } from './configuration.tsx';

export const Route = createLazyRoute('/configuration')({ component: ConfigurationScreen });
