/**
 * Makes the copy buttons work. `data-copy` copies the text beside it, and `data-copy-finding` copies a whole finding as
 * plain text.
 */
export const COPY: string = `
function copied(button, words) {
  if (!button.dataset.says) button.dataset.says = button.textContent;
  button.textContent = words;
  setTimeout(() => { button.textContent = button.dataset.says; }, 2000);
}
function select(element) {
  var range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return document.execCommand('copy');
}
function byHand(button, text) {
  var area = document.createElement('pre');
  area.textContent = text;
  document.body.appendChild(area);
  var done = select(area);
  area.remove();
  copied(button, done ? 'Copied' : 'Not copied');
}
function copy(button, text, element) {
  function fallback() {
    if (element) copied(button, select(element) ? 'Copied' : 'Selected: copy with the keyboard');
    else byHand(button, text);
  }
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => { copied(button, 'Copied'); }, fallback);
  else fallback();
}
document.addEventListener('click', event => {
  var button = event.target.closest && event.target.closest('[data-copy],[data-copy-finding]');
  if (!button) return;
  if (button.hasAttribute('data-copy')) {
    var pre = button.parentNode.querySelector('pre');
    return copy(button, pre.textContent, pre);
  }
  told(+button.getAttribute('data-copy-finding')).then(parts => { copy(button, parts[1]); }, () => { copied(button, 'Not copied'); });
});
`;
