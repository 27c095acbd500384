# One image for all programs. The command selects one: api (default), worker, or sandbox; cli is for operators, as in
# `docker compose exec api node cli keys list`.
ARG NODE_VERSION=26

FROM node:${NODE_VERSION}-slim AS base
WORKDIR /app

# Only the manifests, so that changed sources do not invalidate the installed packages.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM base AS build
COPY --from=manifests /app ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build -- apps/api apps/worker apps/sandbox apps/cli apps/console \
  && find apps packages -type f ! -path 'apps/*/dist/*.js' ! -path 'apps/console/dist/site/*' ! -name '*.lua' ! -name package.json -delete \
  && find apps packages -type d -empty -delete

# Packages of these programs only: the root's include development tools and another Node.
FROM base AS packages
COPY --from=manifests /app ./
RUN npm ci --ignore-scripts --omit=dev --workspace=apps/api --workspace=apps/worker --workspace=apps/sandbox \
  --workspace=apps/cli

FROM base
ENV NODE_ENV=production SLUICE_DATA_DIR=/data NODE_COMPILE_CACHE=/data/compile-cache
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/apps ./apps
COPY --from=build /app/packages ./packages
# `docker run sluice worker` runs `node worker`: Node follows the link, is process 1, and receives SIGTERM.
RUN for program in api worker sandbox cli; do ln -s "apps/$program/dist/main.js" "$program"; done \
  && install -d -o 1000 -g 1000 /data
# The base image's user `node`, by number so that Kubernetes can verify that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node"]
CMD ["api"]
