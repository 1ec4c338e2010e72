// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // wcwidth
#include "app/terminal.h"

#include <unistd.h>

bool terminal_is_there(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

#ifndef TETRALAB_NCURSES

bool terminal_open(Error *error) {
    return error_set(error, "this program was built without ncurses: install libncurses-dev and build it "
                            "again; --frames 10 prints moves as plain text.");
}

void terminal_close(void) {
}

void terminal_size(int *width, int *height) {
    *width = *height = 0;
}

void terminal_show(const Grid *grid) {
    (void)grid;
}

int terminal_wait(double seconds) {
    (void)seconds;
    return TERMINAL_LEAVE;
}

#else

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <wchar.h>

#include "view/viewer.h"

#include <term.h> // last: it makes macros of many words

static SCREEN *screen; // NULL: not open
static struct termios before;
static bool colours;

// ---------------------------------------------------------------------------------------------------
// Giving it back in a hurry, by what a signal handler may call

static char farewell[256]; // what a terminal needs to hear
static int farewell_length;

static int collect(int character) {
    if (farewell_length < (int)sizeof farewell)
        farewell[farewell_length++] = (char)character;
    return character;
}

static void prepare_farewell(void) {
    static const char *const names[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
    farewell_length = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = tigetstr(names[i]);
        if (text && text != (char *)-1)
            tputs(text, 1, collect);
    }
}

static void restore_at_once(void) {
    if (write(STDOUT_FILENO, farewell, (size_t)farewell_length) < 0)
        return; // it is gone
    tcsetattr(STDOUT_FILENO, TCSANOW, &before);
}

// ---------------------------------------------------------------------------------------------------
// Signals: each writes its number into a pipe, which is waited for like keys

static int signal_pipe[2] = {-1, -1};
static volatile sig_atomic_t leaving;

static void die(int number) {
    restore_at_once();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_signal(int number) {
    int saved = errno;
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
        if (leaving)
            die(number); // it did not come to an end by itself
        leaving = 1;
    }
    char byte = (char)number;
    if (write(signal_pipe[1], &byte, 1) < 0)
        errno = saved; // it is full of others
    errno = saved;
}

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
enum { CAUGHT = sizeof caught / sizeof *caught, CRASHES = sizeof crashes / sizeof *crashes };
static struct sigaction old_caught[CAUGHT], old_crashes[CRASHES];

static bool catch_signals(Error *error) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction crash = {.sa_handler = die, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    leaving = 0;
    if (pipe(signal_pipe))
        return error_set(error, "no pipe can be made: %s.", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
    }
    sigemptyset(&action.sa_mask);
    sigemptyset(&crash.sa_mask);
    for (int i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &action, &old_caught[i]);
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &crash, &old_crashes[i]);
    return true;
}

static void release_signals(void) {
    for (int i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &old_caught[i], NULL);
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &old_crashes[i], NULL);
    close(signal_pipe[0]);
    close(signal_pipe[1]);
}

// Ctrl-Z: the shell finds its terminal as it was.
static void stop(void) {
    struct sigaction own, usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    def_prog_mode();
    endwin();
    sigaction(SIGTSTP, &usual, &own);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &own, NULL);
}

static void come_back(void) {
    struct winsize size;
    reset_prog_mode();
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    clearok(curscr, TRUE);
}

static int take_signals(void) {
    char number[64];
    ssize_t count = read(signal_pipe[0], number, sizeof number);
    for (ssize_t i = 0; i < count; i++)
        if (number[i] == SIGTSTP)
            stop();
    come_back();
    return leaving ? TERMINAL_LEAVE : TERMINAL_REDRAW;
}

// ---------------------------------------------------------------------------------------------------
// Colours: those of pictures (picture/scene.h), as near as the terminal has them

enum {
    FILLED_PAIRS = 1,
    PLACED_PAIRS = FILLED_PAIRS + SCENE_COLOURS,
    GHOST_PAIRS = PLACED_PAIRS + SCENE_COLOURS
};

static int squared(int a, int b) {
    return (a - b) * (a - b);
}

// The 256 colours that terminals have from 16 on: a cube of six steps, then 24 greys.
static int nearest_of_256(uint32_t rgb) {
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    int red = (int)(rgb >> 16 & 255), green = (int)(rgb >> 8 & 255), blue = (int)(rgb & 255);
    int best = 16, least = INT32_MAX;
    for (int i = 0; i < 240; i++) {
        int grey = 8 + 10 * (i - 216);
        int r = i < 216 ? steps[i / 36] : grey, g = i < 216 ? steps[i / 6 % 6] : grey,
            b = i < 216 ? steps[i % 6] : grey;
        int distance = squared(r, red) + squared(g, green) + squared(b, blue);
        if (distance < least) {
            least = distance;
            best = 16 + i;
        }
    }
    return best;
}

static int terminal_colour(int colour) {
    static const short eight[SCENE_COLOURS] = {
        [SCENE_FILLED] = COLOR_CYAN,          [SCENE_ATTACK] = COLOR_WHITE,
        [SCENE_FULL] = COLOR_YELLOW,          [SCENE_PIECE + PIECE_O] = COLOR_YELLOW,
        [SCENE_PIECE + PIECE_I] = COLOR_CYAN, [SCENE_PIECE + PIECE_S] = COLOR_GREEN,
        [SCENE_PIECE + PIECE_Z] = COLOR_RED,  [SCENE_PIECE + PIECE_L] = COLOR_WHITE,
        [SCENE_PIECE + PIECE_J] = COLOR_BLUE, [SCENE_PIECE + PIECE_T] = COLOR_MAGENTA};
    return COLORS >= 256 ? nearest_of_256(scene_colour[1][colour]) : eight[colour];
}

static bool is_dark(int colour) {
    uint32_t rgb = scene_colour[1][colour];
    return 3 * (rgb >> 16 & 255) + 6 * (rgb >> 8 & 255) + (rgb & 255) < 10 * 110;
}

static void start_colours(void) {
    const char *none = getenv("NO_COLOR");
    colours = !(none && *none) && has_colors();
    if (!colours)
        return;
    start_color();
    use_default_colors();
    int black = COLORS >= 256 ? 16 : COLOR_BLACK, white = COLORS >= 256 ? 231 : COLOR_WHITE;
    for (int c = 0; c < SCENE_COLOURS; c++) {
        short colour = (short)terminal_colour(c);
        init_pair((short)(FILLED_PAIRS + c), colour, colour);
        init_pair((short)(PLACED_PAIRS + c), (short)(is_dark(c) ? white : black), colour);
        init_pair((short)(GHOST_PAIRS + c), colour, -1);
    }
}

static attr_t attributes_of(const GridCell *cell, short *pair) {
    *pair = 0;
    switch ((GridStyle)cell->style) {
    case GRID_FAINT:
        return A_DIM;
    case GRID_STRONG:
    case GRID_KEY:
        return A_BOLD;
    case GRID_FILLED:
        *pair = (short)(colours ? FILLED_PAIRS + cell->colour : 0);
        return A_NORMAL;
    case GRID_PLACED:
        *pair = (short)(colours ? PLACED_PAIRS + cell->colour : 0);
        return colours ? A_BOLD : A_REVERSE;
    case GRID_GHOST:
        *pair = (short)(colours ? GHOST_PAIRS + cell->colour : 0);
        return A_NORMAL;
    default:
        return A_NORMAL;
    }
}

// ---------------------------------------------------------------------------------------------------
// The page

// Keys come at once and unseen, but Ctrl-C and Ctrl-Z stay signals.
static void set_keys(void) {
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
}

bool terminal_open(Error *error) {
    const char *type = getenv("TERM");
    if (tcgetattr(STDOUT_FILENO, &before))
        return error_set(error, "the terminal cannot be asked for its settings: %s.", strerror(errno));
    screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return error_set(error,
                         "the terminal type TERM=%.60s is unknown: set another one, or print moves as plain "
                         "text with --frames 10.",
                         type ? type : "");
    set_term(screen);
    if (!tigetstr("cup") || tigetstr("cup") == (char *)-1) {
        endwin();
        delscreen(screen);
        screen = NULL;
        return error_set(error,
                         "pages cannot be drawn on a terminal of the type TERM=%.60s: --frames 10 prints "
                         "moves as plain text.",
                         type ? type : "");
    }
    set_keys();
    start_colours();
    prepare_farewell();
    if (catch_signals(error))
        return true;
    terminal_close();
    return false;
}

void terminal_close(void) {
    if (!screen)
        return;
    endwin();
    release_signals();
    delscreen(screen);
    screen = NULL;
}

void terminal_size(int *width, int *height) {
    getmaxyx(stdscr, *height, *width);
}

// Only what differs from what is there goes to the terminal: ncurses sees to that.
void terminal_show(const Grid *grid) {
    erase();
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const GridCell *cell = &grid->cell[y * grid->width + x];
            wchar_t text[2] = {(wchar_t)cell->code, 0};
            cchar_t shown;
            short pair;
            attr_t attributes = attributes_of(cell, &pair);
            if (!cell->code)
                continue;
            if (wcwidth(text[0]) != 1)
                text[0] = L'?';
            if (setcchar(&shown, text, attributes, pair, NULL) == OK)
                mvadd_wch(y, x, &shown);
        }
    refresh();
}

// ---------------------------------------------------------------------------------------------------
// Keys

static int key_of(int code, wint_t character) {
    if (code == OK)
        return character == '\r' ? '\n' : (int)character;
    switch (character) {
    case KEY_LEFT:
        return VIEWER_LEFT;
    case KEY_RIGHT:
        return VIEWER_RIGHT;
    case KEY_UP:
        return VIEWER_UP;
    case KEY_DOWN:
        return VIEWER_DOWN;
    case KEY_HOME:
        return VIEWER_HOME;
    case KEY_END:
        return VIEWER_END;
    case KEY_PPAGE:
        return VIEWER_PAGE_UP;
    case KEY_NPAGE:
        return VIEWER_PAGE_DOWN;
    case KEY_ENTER:
        return '\n';
    case KEY_BACKSPACE:
        return 'b';
    default:
        return TERMINAL_NOTHING;
    }
}

// ncurses may have read further keys already: it is asked before the descriptor is.
int terminal_wait(double seconds) {
    wint_t character;
    int code = get_wch(&character);
    if (code != ERR)
        return key_of(code, character);
    struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = signal_pipe[0], .events = POLLIN}};
    int time = isinf(seconds) ? -1 : seconds > 60 ? 60000 : (int)(seconds * 1000 + 0.999);
    if (poll(files, 2, time) <= 0)
        return TERMINAL_NOTHING;
    if (files[1].revents)
        return take_signals();
    if (files[0].revents & (POLLHUP | POLLERR | POLLNVAL))
        return TERMINAL_LEAVE;
    code = get_wch(&character);
    return code == ERR ? TERMINAL_NOTHING : key_of(code, character);
}

#endif
