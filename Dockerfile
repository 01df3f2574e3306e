# Node is needed to build, not to run: the result is one executable.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/setup.mjs scripts/
RUN node scripts/setup.mjs
COPY . .
RUN npm run build

FROM debian:bookworm-slim
# PostgreSQL's setup asks the system for the name of the account it runs under, so the account must exist by name.
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin halyard && install -d -m 700 -o halyard -g halyard /data
COPY --from=build /build/dist/halyard /usr/local/bin/halyard
USER halyard
ENV DATA_DIR=/data PORT=3000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["halyard", "healthcheck"]
ENTRYPOINT ["halyard"]
CMD ["serve"]
