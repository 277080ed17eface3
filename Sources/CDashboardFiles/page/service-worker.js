// Serves the files of the page while the station is not reachable. Answers of the API are never stored.

const CACHE = "tachogram-page";
const DATA = ["/api/", "/metrics", "/healthz", "/glance/", "/overlay"];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// The page sends the files that it has loaded before this worker was active.
self.addEventListener("message", (event) => event.waitUntil(keep(event.data.files)));

self.addEventListener("fetch", (event) => {
  if (isFile(event.request)) event.respondWith(fromNetworkOrCache(event.request));
});

function isFile(request) {
  const url = new URL(request.url);
  return request.method === "GET" && url.origin === self.location.origin
    && !DATA.some((path) => url.pathname.startsWith(path));
}

async function keep(files) {
  const cache = await caches.open(CACHE);
  const requests = files.map((file) => new Request(file)).filter(isFile);
  await Promise.all(requests.map((request) => cache.add(request).catch(() => {})));
}

/** The network comes first, so that a new version of the page is used at once. */
async function fromNetworkOrCache(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}
