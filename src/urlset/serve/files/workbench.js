// What scripts add to the workbench, which works without them: progress, dropped files, and canceling a query.
"use strict";

// The progress of a job, as server-sent events; the page is loaded again when the job is over.
function followJob(section) {
  const source = new EventSource(`/jobs/${section.dataset.job}/events`);
  const amounts = new Intl.NumberFormat();
  let shown = section.querySelector("h2").className;
  source.addEventListener("message", ({ data: text }) => {
    const job = JSON.parse(text);
    if (!["waiting", "running"].includes(job.state)) {
      source.close();
      location.reload();
      return;
    }
    if (shown !== `state-${job.state}`) {
      shown = `state-${job.state}`;
      section.querySelector("h2").textContent = job.state === "running" ? "Running" : "Waiting for another job";
    }
    for (const one of section.querySelectorAll("[data-of]")) one.textContent = amounts.format(job.progress[one.dataset.of]);
    section.querySelector("[data-last]").textContent = job.progress.name;
    const bar = section.querySelector("[data-bar]");
    if (job.progress.pages_chosen) {
      bar.max = job.progress.pages_chosen;
      bar.value = job.progress.pages;
    }
  });
}

// The files in what was dropped, with their paths.
async function filesIn(entry, path, found) {
  if (entry.isFile) {
    found.push([await new Promise((resolve, reject) => entry.file(resolve, reject)), path + entry.name]);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const one of some) await filesIn(one, `${path}${entry.name}/`, found);
  }
}

function setUpDrop(form) {
  const zone = form.querySelector("[data-zone]");
  const status = form.querySelector("[data-chosen]");
  let dropped = [];
  form.querySelectorAll("[data-script]").forEach((one) => { one.hidden = false; });
  const over = (isOver) => (event) => {
    event.preventDefault();
    zone.classList.toggle("over", isOver);
    if (isOver) form.querySelector("details").open = true;
  };
  form.addEventListener("dragover", over(true));
  form.addEventListener("dragleave", over(false));
  form.addEventListener("drop", async (event) => {
    over(false)(event);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    dropped = [];
    for (const entry of entries) await filesIn(entry, "", dropped);
    status.textContent = `${new Intl.NumberFormat().format(dropped.length)} files to audit: ${entries.map((one) => one.name).join(", ")}`;
  });
  form.addEventListener("submit", async (event) => {
    if (!dropped.length) return;
    event.preventDefault();
    const content = new FormData(form);
    content.delete("files");
    for (const [file, path] of dropped) content.append("files", file, path);
    const response = await fetch(form.action, { method: "POST", body: content });
    if (response.redirected) location.assign(response.url);
    else {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      status.textContent = page.querySelector("[role=alert]")?.textContent.trim() ?? "The files could not be sent.";
    }
  });
}

// While a query runs, its page is being loaded: to stop that closes the connection, and the server ends the query.
function setUpQuery(form) {
  const stop = form.querySelector("[data-stop]");
  form.addEventListener("submit", () => { stop.hidden = false; });
  stop.addEventListener("click", () => {
    window.stop();
    stop.hidden = true;
  });
}

document.querySelectorAll("[data-job]").forEach(followJob);
document.querySelectorAll("[data-drop]").forEach(setUpDrop);
document.querySelectorAll("[data-query]").forEach(setUpQuery);
