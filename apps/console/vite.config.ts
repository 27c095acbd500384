import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** `npm run dev -w apps/console` proxies the API of a running Sluice. */
const API = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because a proxy can serve the console below any prefix.
  base: './',
  plugins: [tailwind()],
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/v1': API, '/admin': API, '/console/api': API } },
});
