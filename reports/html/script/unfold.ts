/**
 * Unpacks the content of a finding from the page's blocks (packed.ts) when it is opened. An address that ends in
 * `#finding-7`, a link to it, and a link to the glossary open their target.
 */
export const UNFOLD: string = `
var ready = new Promise(done => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', done);
  else done();
});
var blocks = ready.then(() => {
  return [...document.querySelectorAll('script[data-from]')].map(element => {
    return { from: +element.dataset.from, to: +element.dataset.to, element: element, content: null };
  });
});
function unpacked(block) {
  if (!block.content) {
    var text = atob(block.element.textContent);
    var bytes = Uint8Array.from(text, sign => sign.charCodeAt(0));
    block.content = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
  }
  return block.content;
}
function told(n) {
  return blocks.then(all => {
    var block = all.find(each => each.from <= n && n <= each.to);
    if (!block) throw new Error('it is not in this page');
    return unpacked(block).then(parts => parts[n - block.from]);
  });
}
function number(finding) { return +finding.id.slice('finding-'.length); }
function draw(finding) {
  var body = finding.querySelector('.body');
  if (!body || body.dataset.drawn) return Promise.resolve();
  body.dataset.drawn = 'yes';
  finding.classList.add('drawn');
  return told(number(finding)).then(parts => {
    body.innerHTML = parts[0];
  }).catch(error => {
    delete body.dataset.drawn;
    body.textContent = 'This browser could not draw it (' + error.message + '): report.md and the JSON file of the finding tell it.';
  });
}
document.addEventListener('toggle', event => {
  var details = event.target;
  if (details.open && details.parentNode.classList && details.parentNode.classList.contains('finding')) draw(details.parentNode);
}, true);
function lead() {
  var named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!named) return;
  for (var around = named; around; around = around.parentElement) {
    if (around.hidden) around.hidden = false;
    if (around.tagName === 'DETAILS') around.open = true;
  }
  if (!named.classList.contains('finding')) return named.scrollIntoView({ block: 'center' });
  var details = named.querySelector('details');
  details.open = true;
  draw(named).then(() => {
    named.scrollIntoView();
    details.querySelector('summary').focus({ preventScroll: true });
  });
}
addEventListener('hashchange', lead);
document.addEventListener('click', event => {
  var link = event.target.closest && event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) lead();
});
ready.then(lead);
`;
