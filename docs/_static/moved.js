/* A link to a place that has moved to another page: follow this page's own link to it. */
addEventListener("DOMContentLoaded", () => {
  const place = location.hash;
  if (!place || document.getElementById(decodeURIComponent(place.slice(1)))) return;
  const link = [...document.querySelectorAll("article a")].find((one) => one.hash === place);
  if (link) location.replace(link.href);
});
