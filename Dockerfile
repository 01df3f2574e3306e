# Node is needed to build, not to run: the result is one executable. Bases are named by digest: what was built once builds the same again.
FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/setup.mjs scripts/
COPY patches patches/
RUN node scripts/setup.mjs
COPY . .
RUN npm run build

FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716
# PostgreSQL's setup asks the system for the name of the account it runs under, so the account must exist by name.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin halyard && install -d -m 700 -o halyard -g halyard /data
COPY --from=build /build/dist/halyard /usr/local/bin/halyard
COPY --from=build /build/NOTICE /build/dist/halyard.sbom.json /usr/share/halyard/
USER halyard
ENV DATA_DIR=/data PORT=3000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["halyard", "healthcheck"]
ENTRYPOINT ["halyard"]
CMD ["serve"]
