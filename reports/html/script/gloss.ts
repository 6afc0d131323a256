/**
 * Explains a word with `data-term` from the page's glossary on hover and on keyboard focus. Escape hides the
 * explanation.
 */
export const GLOSS: string = `
var gloss = document.createElement('div');
gloss.id = 'gloss';
gloss.setAttribute('role', 'tooltip');
gloss.hidden = true;
document.body.appendChild(gloss);
var explained = null;
function glossOff() {
  gloss.hidden = true;
  if (explained) explained.removeAttribute('aria-describedby');
  explained = null;
}
function glossOn(target) {
  var word = target.closest && target.closest('[data-term]');
  if (word === explained) return;
  glossOff();
  if (!word) return;
  var name = word.getAttribute('data-term');
  var entry = document.getElementById('term-' + name.split(' ').join('-'));
  if (!entry) return;
  gloss.textContent = '';
  var bold = document.createElement('b');
  bold.textContent = name;
  gloss.appendChild(bold);
  gloss.appendChild(document.createTextNode(' ' + entry.querySelector('dd').textContent));
  gloss.hidden = false;
  explained = word;
  word.setAttribute('aria-describedby', 'gloss');
  var box = word.getBoundingClientRect();
  var left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - gloss.offsetWidth - 8));
  var below = box.bottom + 6;
  gloss.style.left = left + 'px';
  gloss.style.top = (below + gloss.offsetHeight > innerHeight ? Math.max(8, box.top - gloss.offsetHeight - 6) : below) + 'px';
}
document.addEventListener('mouseover', event => { glossOn(event.target); });
document.addEventListener('focusin', event => { glossOn(event.target); });
document.addEventListener('focusout', glossOff);
document.addEventListener('scroll', glossOff, true);
document.addEventListener('keydown', event => { if (event.key === 'Escape') glossOff(); });
`;
